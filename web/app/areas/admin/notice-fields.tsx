import { MAX_NOTICE_LENGTH, NOTICE_AUDIENCES, NOTICE_LEVELS } from '@officium/contract/site-notices';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Field, FieldGroup, Radio, TextArea } from '../../ui/field.tsx';
import { toWallTime } from '../../wall-time.ts';
import type { SiteNotice } from './notice-form.ts';

export const LEVELS = {
  information: 'admin.notice_level_information',
  warning: 'admin.notice_level_warning',
} as const satisfies Record<SiteNotice['level'], MessageKey>;
export const AUDIENCES = {
  everyone: 'admin.notice_audience_everyone',
  'signed-in': 'admin.notice_audience_signed_in',
} as const satisfies Record<SiteNotice['audience'], MessageKey>;

type Props = { notice?: SiteNotice | undefined; languages: readonly Locale[]; now: string };

/** Every field of a notice. */
export function NoticeFields({ notice, languages, now }: Props) {
  const { t } = useText();
  return (
    <>
      <FieldGroup name="level" legend={t('admin.notice_level')}>
        {NOTICE_LEVELS.map((level) => (
          <Radio
            key={level}
            name="level"
            value={level}
            label={t(LEVELS[level])}
            defaultChecked={level === (notice?.level ?? 'information')}
          />
        ))}
      </FieldGroup>
      <FieldGroup name="audience" legend={t('admin.notice_audience')}>
        {NOTICE_AUDIENCES.map((audience) => (
          <Radio
            key={audience}
            name="audience"
            value={audience}
            label={t(AUDIENCES[audience])}
            defaultChecked={audience === (notice?.audience ?? 'everyone')}
          />
        ))}
      </FieldGroup>
      <TextFields notice={notice} languages={languages} />
      <Field
        name="url"
        label={t('admin.notice_url')}
        defaultValue={notice?.url ?? ''}
        maxLength={500}
        dir="ltr"
        autoComplete="off"
      />
      <TimeFields notice={notice} now={now} />
    </>
  );
}

/** The language of the page first; the others are folded while they are empty. */
function TextFields({ notice, languages }: Pick<Props, 'notice' | 'languages'>) {
  const { t, locale } = useText();
  const [first = locale, ...others] = [...languages].sort((a, b) => Number(b === locale) - Number(a === locale));
  const field = (language: Locale) => (
    <TextArea
      key={language}
      name={`texts.${language}`}
      label={endonymOf(language)}
      defaultValue={notice?.texts[language] ?? ''}
      rows={2}
      maxLength={MAX_NOTICE_LENGTH}
      lang={language}
      dir="auto"
      hideOptional
    />
  );
  return (
    <FieldGroup name="texts" legend={t('admin.notice_text')}>
      {field(first)}
      {others.length === 0 ? null : (
        <details className="mt-3" open={others.some((language) => notice?.texts[language])}>
          <summary className="min-h-11 cursor-pointer py-2">{t('admin.notice_languages')}</summary>
          <div className="grid gap-4">{others.map(field)}</div>
        </details>
      )}
    </FieldGroup>
  );
}

/** A time in the time zone of the administrator. */
function TimeFields({ notice, now }: Pick<Props, 'notice' | 'now'>) {
  const { t, timeZone } = useText();
  const wall = (moment: string | null) => (moment === null ? '' : toWallTime(moment, timeZone));
  return (
    <div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          name="startsAt"
          type="datetime-local"
          label={t('admin.notice_starts')}
          defaultValue={wall(notice?.startsAt ?? now)}
          autoComplete="off"
          required
        />
        <Field
          name="endsAt"
          type="datetime-local"
          label={t('admin.notice_ends')}
          defaultValue={wall(notice?.endsAt ?? null)}
          autoComplete="off"
        />
      </div>
      <p className="mt-1.5 text-sm text-muted">{t('admin.notice_zone', { zone: timeZone })}</p>
    </div>
  );
}
