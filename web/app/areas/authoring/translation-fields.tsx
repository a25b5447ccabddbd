import type { Piece } from '@officium/contract/authoring';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Field } from '../../ui/field.tsx';
import { EvaluationFields } from './evaluation-fields.tsx';
import { Beside } from './text-fields.tsx';

type Props = { piece: Pick<Piece, 'doc' | 'sourceLocale'>; locales: readonly Locale[] };
type Texts = Partial<Record<Locale, string>>;
type Small = { name: string; label: string; texts: Texts };

/** The short texts of a piece beside its fields, for translators: the source language can only be read. */
export function TranslationFields({ piece: { doc, sourceLocale }, locales }: Props) {
  const { t } = useText();
  const small: Small[] = [];
  if ('cover' in doc && doc.cover !== null)
    small.push({ name: 'coverAlt', label: t('admin.content_field_coverAlt'), texts: doc.coverAlt });
  if (doc.kind === 'journey')
    for (const [at, { heading }] of doc.sections.entries())
      small.push({ name: `heading_${at}`, label: t('admin.content_section', { number: at + 1 }), texts: heading });
  if (doc.kind === 'course')
    for (const [at, { name, role }] of doc.contacts.entries())
      small.push({ name: `contacts_${at}_role`, label: `${t('admin.content_contact_role')} · ${name}`, texts: role });
  const shorts = small.map(({ name, label, texts }) => (
    <Beside key={name} locales={locales}>
      {(locale) => (
        <Field
          name={`${name}_${locale}`}
          label={`${label} · ${endonymOf(locale)}`}
          defaultValue={texts[locale] ?? ''}
          lang={locale}
          dir="auto"
          autoComplete="off"
          readOnly={locale === sourceLocale}
          hideOptional
        />
      )}
    </Beside>
  ));
  if (doc.kind !== 'journey') return shorts;
  return (
    <>
      {shorts}
      <EvaluationFields questions={doc.evaluation} locales={locales} sourceLocale={sourceLocale} mayEdit={false} />
    </>
  );
}
