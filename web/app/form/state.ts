/** One thing wrong with the input; `path` is the field's name, dotted for nested ones. */
export type Issue = { path: string; message: string };

/** What an action answers when it refuses a form. */
export type FormState = {
  message: string;
  code?: string;
  issues: Issue[];
  /** What had been typed, to fill the form again. Never passwords, codes or files. */
  values?: Record<string, string>;
  status?: number;
};

const SECRET = /password|code|secret|token/i;
const MAX_KEPT = 65_536;

/** The fields of a form that may be shown again. */
export function keepable(fields: FormData): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (typeof value === 'string' && value.length <= MAX_KEPT && !SECRET.test(name)) kept[name] = value;
  }
  return kept;
}

/** The first message about a field, if any. */
export function issueOf(state: FormState | undefined, name: string): string | undefined {
  return state?.issues.find((issue) => issue.path === name || issue.path.startsWith(`${name}.`))?.message;
}
