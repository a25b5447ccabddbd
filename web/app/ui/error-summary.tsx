import { useEffect, useRef } from 'react';
import { issueText } from '../form/issue-text.ts';
import type { FormState } from '../form/state.ts';
import { useText } from '../text.tsx';

type Props = { state: FormState; /** What stands before the ids of the form's fields. */ prefix?: string };

/** What is wrong with a form, as links to the fields. Takes the focus each time a form comes back. */
export function ErrorSummary({ state, prefix = '' }: Props) {
  const text = useText();
  const { t, maybe, locale } = text;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [state]);
  const { issues } = state;
  const message =
    (state.code && maybe(`errors.${state.code}`)) || (locale === 'en' && state.message) || t('errors.form');
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
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
                <a className="link" href={`#${prefix}${issue.path.split('.')[0]}`}>
                  {issueText(text, issue.message)}
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
