import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import { fieldName } from '../form/field-names.ts';
import { issueText } from '../form/issue-text.ts';
import type { FormState, Issue } from '../form/state.ts';
import { useText } from '../text.tsx';

type Props = { state: FormState; /** Prefix of the form's field ids. */ prefix?: string };

/** The issues of a form as links to its fields. Takes the focus each time the form is refused. */
export function ErrorSummary({ state, prefix = '' }: Props) {
  const text = useText();
  const { t, maybe, locale } = text;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [state]);
  const { issues } = state;
  const labels = useLabels(state, prefix);
  const wording = ({ path, message }: Issue) => {
    const known = fieldName(path);
    const field = labels[path] ?? (known && t(known));
    const issue = issueText(text, message);
    return field ? t('errors.issue_of_field', { field, issue }) : issue;
  };
  const message =
    (state.code && maybe(`errors.${state.code}`)) || (locale === 'en' && state.message) || t('errors.form');
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      autoFocus // without script; with it, the effect above
      className="mb-6 rounded border-2 border-danger bg-card p-4"
      aria-labelledby={`${prefix}error-summary`}
    >
      <h2 id={`${prefix}error-summary`} className="text-lg text-danger">
        {t('common.error_summary', { count: Math.max(issues.length, 1) })}
      </h2>
      {issues.length ? (
        <ul className="mt-1 list-disc ps-5">
          {issues.map((issue) => (
            <li key={issue.path + issue.message}>
              {issue.path ? (
                <a className="link" href={`#${idOf(issue, prefix)}`} onClick={goToField}>
                  {wording(issue)}
                </a>
              ) : (
                issueText(text, issue.message)
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1">{message}</p>
      )}
    </div>
  );
}

/** The browser's own jump would be a navigation and discard the refusal. */
function goToField(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

function idOf({ path }: Issue, prefix: string): string {
  return `${prefix}${path.split('.')[0]}`;
}

/**
 * Labels of the invalid fields by path, read from the page, because only fields know their labels. Empty without the
 * application.
 */
function useLabels(state: FormState, prefix: string): Record<string, string> {
  const [labels, setLabels] = useState<Record<string, string>>({});
  useLayoutEffect(() => {
    const found = state.issues.map((issue) => {
      const label = document.querySelector(`label[for="${CSS.escape(idOf(issue, prefix))}"]`);
      const words = [...(label?.childNodes ?? [])].filter((node) => node.nodeName !== 'SPAN'); // "(optional)" is a SPAN
      return [issue.path, words.map((node) => node.textContent).join('')];
    });
    setLabels(Object.fromEntries(found));
  }, [state, prefix]);
  return labels;
}
