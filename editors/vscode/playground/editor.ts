// The editor: CodeMirror with Python, and the usual keys.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { HighlightStyle, bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, rectangularSelection } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours are in `theme.css`, so that a change of theme does not touch the editor. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--comment)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.className), tags.className], color: 'var(--class)' },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.function(tags.variableName)], color: 'var(--function)' },
  { tag: tags.meta, color: 'var(--function)' },
]);

export function editor(parent: HTMLElement, program: string, extensions: Extension): EditorView {
  const state = EditorState.create({
    doc: program,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      lintGutter(),
      codeFolding(),
      foldGutter(),
      history(),
      drawSelection(),
      rectangularSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentOnInput(),
      indentUnit.of('    '),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      highlightActiveLine(),
      highlightSelectionMatches(),
      python(),
      syntaxHighlighting(colours),
      EditorView.contentAttributes.of({ 'aria-label': 'Program. Escape, then Tab, leaves the editor.' }),
      extensions,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    ],
  });
  return new EditorView({ state, parent });
}
