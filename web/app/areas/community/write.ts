import { DEFAULT_LOCALE, isLocale, type Locale } from '@officium/i18n/locales';
import type { Issue } from '../../form/state.ts';
import { optionalOf, textOf } from '../../form/fields.ts';

/** Selectable poll durations in days; 0 never closes. */
export const DEADLINES = [1, 3, 7, 14, 30, 0] as const;

const DAY_MS = 86_400_000;

/** The submitted language of the text. */
export function localeOfText(fields: FormData): Locale {
  const locale = fields.get('locale');
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

/** The submitted poll as the body of the API call, without empty options. */
export function pollOf(fields: FormData, now = Date.now()) {
  const days = Number(textOf(fields, 'deadline'));
  return {
    title: textOf(fields, 'title'),
    options: filledOptions(fields).map((name, index) => ({ position: index + 1, body: textOf(fields, name) })),
    settings: {
      allow_multiple_votes: fields.has('several'),
      deadline_at: days > 0 && days <= 30 ? new Date(now + days * DAY_MS).toISOString() : null,
      results_visibility: textOf(fields, 'results') === 'always' ? ('always' as const) : ('after-voting' as const),
    },
  };
}

/** Maps API issues to form fields: `options.1.body` becomes the field that held that option. */
export function toPollFormIssues(issues: Issue[], fields: FormData): Issue[] {
  const names = filledOptions(fields);
  return issues.map(({ path, message }) => {
    const [head, index] = path.split('.');
    if (head !== 'options') return { path: head === 'settings' ? 'deadline' : path, message };
    if (index === undefined) return { path: names.includes('option1') ? 'option2' : 'option1', message };
    return { path: names[Number(index)] ?? 'option1', message };
  });
}

function filledOptions(fields: FormData): string[] {
  return ['option1', 'option2', 'option3', 'option4', 'option5'].filter((name) => optionalOf(fields, name));
}

/** Client data of the edited text, kept in its form: an update clears whatever it leaves out. */
export function additionalOf(fields: FormData): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(fields, 'additional') || '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // any object is one
  } catch {
    return {};
  }
}
