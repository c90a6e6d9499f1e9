// The page as static files, with the server as WebAssembly.

import { main } from './main';
import { open } from './worker';

void main(open);
