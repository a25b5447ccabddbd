import type { ReactNode } from 'react';
import type { Piece } from '@officium/contract/authoring';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { DocumentField } from '../../editor/document-field.tsx';
import { BLOCKS, PAGE_BLOCKS } from '../../editor/markdown-blocks.ts';
import { MarkdownToolbar } from '../../editor/markdown-toolbar.tsx';
import { useText } from '../../text.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { uploadedPicture } from './media-upload.ts';
import { can } from './rights.ts';
import { TEXTS, type TextLook, type TextName } from './kinds.ts';

type Props = {
  piece: Pick<Piece, 'kind' | 'doc' | 'sourceLocale' | 'capabilities' | 'pictures'>;
  locales: readonly Locale[];
};

/** The texts of a piece in the source language, beside the second language. Translators only read the source. */
export function TextFields({ piece, locales }: Props) {
  const texts = Object.entries(TEXTS[piece.kind]) as [TextName, TextLook][]; // types of that table
  return (
    <>
      {texts.map(([name, look]) => (
        <Beside key={name} locales={locales}>
          {(locale) => <OneText {...{ piece, locale, name, look }} />}
        </Beside>
      ))}
    </>
  );
}

/** One field in one or two languages, stacked on narrow screens. */
export function Beside({ locales, children }: { locales: readonly Locale[]; children: (locale: Locale) => ReactNode }) {
  return (
    <div className={locales.length > 1 ? 'grid items-start gap-x-6 gap-y-4 lg:grid-cols-2' : 'grid'}>
      {locales.map((locale) => (
        <div key={locale} className="min-w-0">
          {children(locale)}
        </div>
      ))}
    </div>
  );
}

type OneProps = {
  piece: Props['piece'];
  locale: Locale;
  name: TextName;
  look: TextLook;
};

/** A picture shows its summary as a caption; the text of a course is its question bank. */
function labelOf(kind: string, name: TextName) {
  if (kind === 'picture' && name === 'summary') return 'caption';
  return kind === 'course' && name === 'body' ? 'bank' : name;
}

function OneText({ piece, locale, name, look }: OneProps) {
  const { t } = useText();
  const { doc, sourceLocale } = piece;
  const readOnly = locale === sourceLocale && !can(piece, 'edit-content');
  const texts = (doc as Partial<Record<TextName, Partial<Record<Locale, string>>>>)[name]; // its kind has this text
  const field = {
    name: `${name}_${locale}`,
    label: `${t(`admin.content_field_${labelOf(doc.kind, name)}`)} · ${endonymOf(locale)}`,
    defaultValue: texts?.[locale] ?? '',
    lang: locale,
    dir: 'auto' as const,
    hideOptional: readOnly || locale !== sourceLocale || ['answer', 'problem', 'about'].includes(name), // without it nothing is published
    required: name === 'title' && locale === sourceLocale,
    readOnly,
  };
  if (look === 'line') return <Field {...field} autoComplete="off" maxLength={200} />;
  if (look === 'area') return <TextArea {...field} rows={3} />;
  if (look === 'part')
    return (
      <TextArea
        {...field}
        hint={readOnly ? undefined : t('admin.content_part_hint')}
        tools={readOnly ? null : <MarkdownToolbar target={field.name} />}
        rows={6}
        className="[&_textarea]:max-h-[75vh] [&_textarea]:min-h-36"
      />
    );
  if (readOnly) return <TextArea {...field} rows={18} className="[&_textarea]:max-h-[75vh] [&_textarea]:min-h-80" />;
  const addresses = new Map(piece.pictures.map(({ path, url }) => [path, url]));
  const isBank = doc.kind === 'course';
  const isShort = isBank && field.defaultValue === '';
  return (
    <DocumentField
      {...field}
      hint={
        isBank
          ? t('admin.content_bank_hint')
          : t(can(piece, 'edit-content') ? 'admin.content_body_hint' : 'admin.content_part_hint')
      }
      blocks={isBank || doc.kind === 'lesson' ? BLOCKS : PAGE_BLOCKS}
      canUpload={can(piece, 'edit-content')}
      pictureAddress={(src) => addresses.get(src.replace(/^\//, '')) ?? uploadedPicture(src)}
      rows={isShort ? 8 : 18}
      className={`[&_textarea]:max-h-[75vh] ${isShort ? '[&_textarea]:min-h-36' : '[&_textarea]:min-h-80'}`}
    />
  );
}
