// Detects TVMScript in Python text: an import of `tvm.script`, or one of its decorators. TVM prints the imports as
// comments, so comments count too. Or a program that imports TVM. Knows no editor.

const IMPORT =
  /^[ \t]*(?:#[ \t]*)?(?:from[ \t]+tvm[ \t]*\.[ \t]*script\b|import[ \t]+tvm\.script\b|from[ \t]+tvm[ \t]+import\b[^\n]*\bscript\b)/m;

const DECORATOR =
  /^[ \t]*@[ \t]*(?:\w+\.)*(?:(?:R|relax)\.(?:function|macro|rewriter)|(?:I|ir|script)\.ir_module|(?:T|tir|tirx)\.(?:prim_func|macro|inline)|ir_module)\b/m;

const PROGRAM = /^[ \t]*(?:from|import)[ \t][^\n]*\btvm\b/m;

/** Whether a program imports TVM, so that it can be recorded, and its names be checked. */
export function importsTvm(text: string): boolean {
  return PROGRAM.test(text);
}

export function holdsTvmScript(text: string): boolean {
  return IMPORT.test(text) || DECORATOR.test(text);
}
