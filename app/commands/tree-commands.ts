/** What a parser of bash says of a piece of a line. */
export interface TreeNode {
  readonly type: string;
  readonly text: string;
  /** In UTF-16 units. */
  readonly startIndex: number;
  readonly endIndex: number;
  /** A word or punctuation that is only itself is not. */
  readonly isNamed: boolean;
  /** The parser made it up so that the rest makes sense. */
  readonly isMissing: boolean;
  readonly children: readonly (TreeNode | null)[];
}

/** What may stand between two commands. */
const BETWEEN: ReadonlySet<string> = new Set(["&&", "||", ";", "|", "\n"]);

type Commands = readonly (readonly string[])[];

/**
 * The words of the simple commands in a parsed line, in its order; null: it does anything else. The parser forgives
 * much, so this is no gate by itself: it only has to agree with the strict reading (read-line.ts).
 */
export function commandsInTree(node: TreeNode): Commands | null {
  if (node.isMissing) return null;
  if (!node.isNamed) return BETWEEN.has(node.type) ? [] : null;
  switch (node.type) {
    case "program":
    case "list":
    case "pipeline":
      return all(node.children.map((child) => child && commandsInTree(child)))?.flat() ?? null;
    case "redirected_statement":
      return redirected(node);
    case "command": {
      const words = all(node.children.map((child) => child && wordOf(child)));
      return words === null ? null : [words];
    }
    default:
      return null;
  }
}

/** The programs that a line names, wherever they stand in it: only to be shown, since the parser forgives much. */
export function programsIn(node: TreeNode): readonly string[] {
  const own = node.type === "command_name" && !node.isMissing ? [node.text] : [];
  return [...own, ...node.children.flatMap((child) => (child === null ? [] : programsIn(child)))];
}

/**
 * What stands behind a redirection belongs to the last command before it. The grammar takes that for a second
 * target, and loses a `-` before a here-document.
 */
function redirected(node: TreeNode): Commands | null {
  const [body, ...redirects] = named(node);
  const [first] = redirects;
  const commands = body === undefined ? null : commandsInTree(body);
  const last = commands?.at(-1);
  if (body === undefined || first === undefined || last === undefined) return null;
  const between = node.text.slice(
    body.endIndex - node.startIndex,
    first.startIndex - node.startIndex,
  );
  const behind = all(redirects.flatMap(wordsBehind));
  if (behind === null || !/^[ \t]*-?[ \t]*$/.test(between)) return null;
  const lost = between.includes("-") ? ["-"] : [];
  return [...(commands ?? []).slice(0, -1), [...last, ...lost, ...behind]];
}

function wordsBehind(redirect: TreeNode): readonly (string | null)[] {
  const parts = named(redirect);
  if (redirect.type === "heredoc_redirect") {
    const isPlain = parts.every(({ type, text, children }) =>
      type === "heredoc_start"
        ? text.startsWith("'")
        : /^heredoc_(?:body|end)$/.test(type) && children.length === 0,
    );
    return isPlain ? [] : [null];
  }
  const [target, ...behind] = parts.filter(({ type }) => type !== "file_descriptor");
  const isHarmless = target !== undefined && /^(?:\/dev\/null|[12])$/.test(target.text);
  return redirect.type === "file_redirect" && isHarmless ? behind.map(wordOf) : [null];
}

const named = ({ children }: TreeNode): readonly TreeNode[] =>
  children.filter((child) => child !== null && (child.isNamed || child.isMissing)) as TreeNode[];

/** Null: one of them is. */
function all<T>(parts: readonly (T | null)[]): readonly T[] | null {
  const found = parts.filter((part) => part !== null);
  return found.length < parts.length ? null : found;
}

/** What stands in quotes counts as it is: with anything that a shell would replace, the line is not read. */
function wordOf(node: TreeNode): string | null {
  switch (node.type) {
    case "command_name":
    case "concatenation":
      return all(named(node).map(wordOf))?.join("") ?? null;
    case "word":
    case "number":
    case "-":
      return node.text;
    case "raw_string":
      return node.text.slice(1, -1);
    case "string":
      return named(node).every(({ type }) => type === "string_content")
        ? node.text.slice(1, -1)
        : messageIn(node);
    default:
      return null;
  }
}

/** `"$(cat <<'EOF' … EOF )"`, as agents write a commit's message. */
function messageIn(node: TreeNode): string | null {
  const [only, ...others] = named(node);
  if (only === undefined || others.length > 0 || only.type !== "command_substitution") return null;
  const [statement, ...more] = named(only);
  if (statement?.type !== "redirected_statement" || more.length > 0) return null;
  const [command, document] = named(statement);
  if (command?.text !== "cat" || document?.type !== "heredoc_redirect") return null;
  const body = named(document).find(({ type }) => type === "heredoc_body");
  return (body?.text ?? "").replace(/\n+$/, "");
}
