// Detects TVMScript in Python text: an import of `tvm.script`, or one of its decorators. TVM prints the imports as
// comments, so comments count too. Or a program that makes a module. Knows no editor.

const IMPORT =
  /^[ \t]*(?:#[ \t]*)?(?:from[ \t]+tvm[ \t]*\.[ \t]*script\b|import[ \t]+tvm\.script\b|from[ \t]+tvm[ \t]+import\b[^\n]*\bscript\b)/m;

const DECORATOR =
  /^[ \t]*@[ \t]*(?:\w+\.)*(?:(?:R|relax)\.(?:function|macro|rewriter)|(?:I|ir|script)\.ir_module|(?:T|tir|tirx)\.(?:prim_func|macro|inline)|ir_module)\b/m;

const BUILDER = /\b(?:from_(?:onnx|exported_program|fx|tflite|stablehlo)|export_tvm|BlockBuilder|(?:tvm|relax)\.(?:build|compile))\(/;

/** Whether a program makes a module, so that it can be recorded. */
export function makesModule(text: string): boolean {
  return text.includes('tvm') && BUILDER.test(text);
}

export function holdsTvmScript(text: string): boolean {
  return IMPORT.test(text) || DECORATOR.test(text);
}
