import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';

export type OwnText = { html: string; lang: Locale; changedAt: string };

/** The site's own text with the date of its last change. */
export function OwnTextPart({ text: { html, lang, changedAt } }: { text: OwnText }) {
  const { locale, rich } = useText();
  return (
    <>
      <RichText html={html} {...(lang === locale ? {} : { lang })} className="mt-6" />
      <p className="mt-6 text-sm text-muted">
        {rich('common.changed_on', { date: <Time key="date" value={changedAt} look="date" /> })}
      </p>
    </>
  );
}
