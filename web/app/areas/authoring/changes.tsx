import type { comparePiece } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { endonymOf } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';

type Change = ReplyOf<typeof comparePiece>['changes'][number];

const LOOKS = {
  same: { mark: ' ', look: '' },
  added: { mark: '+', look: 'bg-success-soft' },
  removed: { mark: '−', look: 'bg-danger-soft' },
  skipped: { mark: '⋯', look: 'text-muted' },
} as const;

/** Differences field by field and line by line, marked with symbols and words as well as colour. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const { t, maybe } = useText();
  if (changes.length === 0) return <p className="text-muted">{t('admin.content_no_changes')}</p>;
  const nameOf = (field: string) => {
    const [name = '', place] = field.split('.');
    const label = maybe(`admin.content_field_${name}`) ?? name;
    return place === undefined ? label : `${label} ${Number(place) + 1}`;
  };
  return (
    <div className="grid gap-6">
      {changes.map(({ field, locale, lines, isCut }) => (
        <section key={`${field} ${locale ?? ''}`}>
          <h3 className="text-base font-semibold">
            {nameOf(field)}
            {locale ? <span className="font-normal text-muted"> · {endonymOf(locale)}</span> : null}
          </h3>
          <ol className="mt-2 border-y border-line py-2" lang={locale ?? undefined}>
            {lines.map(({ kind, text }, index) => (
              <li key={index} className={`flex gap-3 px-2 ${LOOKS[kind].look}`}>
                <span aria-hidden="true" className="w-4 shrink-0 text-center font-semibold">
                  {LOOKS[kind].mark}
                </span>
                {kind === 'added' || kind === 'removed' ? (
                  <span className="sr-only">{t(`admin.content_line_${kind}`)}</span>
                ) : null}
                <span dir="auto" className="min-w-0 whitespace-pre-wrap wrap-anywhere">
                  {text}
                </span>
              </li>
            ))}
          </ol>
          {isCut ? <p className="mt-2 text-muted">{t('admin.content_changes_cut')}</p> : null}
        </section>
      ))}
    </div>
  );
}
