// The page as files that any host serves, its server in the browser.

import { main } from './main';
import { open } from './worker';

void main(open);
