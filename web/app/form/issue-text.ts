import type { MessageKey } from '../message-keys.ts';
import type { Text } from '../text.tsx';

// The API reports issues in English, as its contract requires. Those a form can produce are translated here; `$1` of a
// pattern becomes {count} of the message.
const KNOWN: readonly [RegExp, MessageKey][] = [
  [
    / is required$|must not be empty$|^Must not be empty$|^Body is required|must have at least 1 character$/,
    'errors.issue_required',
  ],
  [/must have at least (\d+) characters$|less than minimum allowed length of (\d+)$/, 'errors.issue_short'],
  [
    /must have at most (\d+) characters$|exceeds maximum allowed length of (\d+)$|at most (\d+) characters/,
    'errors.issue_long',
  ],
  [/e-mail address/, 'errors.issue_email'],
  [/http or https address/, 'errors.issue_address'],
  [/at most (\d+) MB$/, 'errors.issue_file_large'],
  [/cannot be opened$/, 'errors.issue_picture'],
  [/code has 6 digits/, 'errors.issue_code'],
  [/^Position \d+ is duplicated\.$|^Body is duplicated\.$/, 'errors.issue_same_option'],
  [/^Either 'body' or 'title' must be provided\.$/, 'errors.issue_title_or_body'],
  [/^Must not be before the first day$/, 'errors.issue_last_day'],
  [/[Dd]eadline|in the future|in the past/, 'errors.issue_deadline'],
  [/^Must be your name$/, 'account.delete_other_name'],
  [/^Must be the name of the site$/, 'admin.demo_other_name'],
  [/^Must be the name of the cohort$/, 'admin.cohorts_undo_other_name'],
  [/^No learner of this course has this address$/, 'admin.extra_time_no_person'],
  [/^At most (\d+) tasks$/, 'task.too_many'],
  [/^Points must/, 'errors.issue_points'],
  [/mention/i, 'errors.issue_mentions'],
];

/** An issue in the language of the page. */
export function issueText({ locale, t }: Pick<Text, 'locale' | 't'>, message: string): string {
  for (const [pattern, key] of KNOWN) {
    const match = pattern.exec(message);
    if (match) return t(key, { count: Number(match.slice(1).find(Boolean) ?? 0) });
  }
  return locale === 'en' ? message : t('errors.issue_other');
}
