// The page of `relax-lsp playground`.

import { main } from './main';
import { open } from './socket';

void main(open);
