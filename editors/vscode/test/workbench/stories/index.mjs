// Every story, in the order in which they are told.

import { analysis } from './analysis.mjs';
import { api } from './api.mjs';
import { formatting } from './formatting.mjs';
import { graph } from './graph.mjs';
import { migration } from './migration.mjs';
import { newcomer } from './newcomer.mjs';
import { notebook } from './notebook.mjs';
import { pythonNames } from './pythonNames.mjs';
import { recording } from './recording.mjs';
import { runs } from './runs.mjs';
import { server } from './server.mjs';
import { themes } from './themes.mjs';
import { timeline } from './timeline.mjs';
import { trace } from './trace.mjs';
import { trust } from './trust.mjs';
import { whatIf } from './whatIf.mjs';

export const STORIES = [newcomer, analysis, formatting, migration, pythonNames, notebook, runs, recording, trace, graph, timeline, whatIf, themes, server, trust, api];
