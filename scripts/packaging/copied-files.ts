/**
 * What is taken from packages, compressed, since the app would be too large: name of the output file, relative to
 * `dist/` → package, file.
 */
export const COPIED: Readonly<Record<string, readonly [name: string, file: string]>> = {
  "main/web-tree-sitter.wasm.br": ["web-tree-sitter", "web-tree-sitter.wasm"],
  "main/tree-sitter-bash.wasm.br": ["tree-sitter-bash", "tree-sitter-bash.wasm"],
};
