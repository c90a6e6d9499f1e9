// The example programs, from the repository.

import attention from '../../../examples/attention.py';
import kernel from '../../../examples/kernel.py';
import mistakes from '../../../examples/mistakes.py';
import mlp from '../../../examples/mlp.py';

export const EXAMPLES = [
  { title: 'A perceptron', program: mlp },
  { title: 'Attention', program: attention },
  { title: 'A kernel of its own', program: kernel },
  { title: 'Three mistakes', program: mistakes },
] as const;
