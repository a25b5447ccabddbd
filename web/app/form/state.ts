/** A validation issue; `path` is the field name, dotted for nested fields. */
export type Issue = { path: string; message: string };

/** Result of an action that refuses a form. */
export type FormState = {
  message: string;
  code?: string;
  issues: Issue[];
  /** Submitted values that refill the form. Never passwords, codes or files. */
  values?: Record<string, string>;
  status?: number;
};

const SECRET = /password|code|secret|token/i;
const MAX_KEPT = 1_048_576;

/** The fields that may be returned to the form. */
export function keepable(fields: FormData): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (typeof value === 'string' && value.length <= MAX_KEPT && !SECRET.test(name)) kept[name] = value;
  }
  return kept;
}

/** The first issue of a field, if any. */
export function issueOf(state: FormState | undefined, name: string): string | undefined {
  return state?.issues.find((issue) => issue.path === name || issue.path.startsWith(`${name}.`))?.message;
}
