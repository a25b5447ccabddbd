import type { Piece } from '@officium/contract/authoring';
import { QUESTION_FORMATS, type QuestionFormat } from '@officium/contract/question-files';
import { endonymOf, LOCALES, type Locale } from '@officium/i18n/locales';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';

/** Names of the formats, which no language translates. */
const NAMES: Readonly<Record<QuestionFormat, string>> = {
  gift: 'GIFT',
  moodle: 'Moodle XML',
  qti: 'QTI 3.0',
  csv: 'CSV',
};

/** The file, its language, and the buttons to check it or to add its questions. */
export function QuestionForm({ sourceLocale }: { sourceLocale: Locale }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <section aria-labelledby="import">
      <h3 id="import" className="text-2xl">
        {t('admin.questions_import')}
      </h3>
      <p className="mt-1 max-w-prose text-muted">{t('admin.questions_import_text')}</p>
      <SmartForm encType="multipart/form-data" className="mt-5 grid max-w-2xl gap-5">
        <div>
          <label htmlFor="file" className="mb-1 block font-semibold">
            {t('admin.folder_file_in')}
          </label>
          <p id="file-hint" className="mb-1.5 text-sm text-muted">
            {t('admin.questions_file_hint')}
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".txt,.gift,.xml,.zip,.csv,text/plain,text/csv,application/xml,application/zip"
            aria-describedby="file-hint"
            className="block w-full rounded border border-dashed border-edge p-6"
          />
        </div>
        <Select
          name="locale"
          label={t('admin.questions_language')}
          options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
          defaultValue={sourceLocale}
          required
        />
        <div className="flex flex-wrap gap-3">
          <Button name="intent" value="check" isBusy={isSubmitting}>
            {t('admin.folder_check')}
          </Button>
          <Button name="intent" value="add" look="secondary" isBusy={isSubmitting}>
            {t('admin.questions_add')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}

/** Links to the questions of each language that the lesson or the bank has. */
export function QuestionDownloads({ piece: { kind, key, doc } }: { piece: Pick<Piece, 'kind' | 'key' | 'doc'> }) {
  const { t } = useText();
  const written = 'body' in doc ? LOCALES.filter((locale) => doc.body[locale]?.includes(':::quiz')) : [];
  if (written.length === 0) return null;
  const at = `/api/content/authoring/${kind}/pieces/${encodeURIComponent(key)}/questions`;
  return (
    <section aria-labelledby="export">
      <h3 id="export" className="text-2xl">
        {t('admin.questions_export')}
      </h3>
      <p className="mt-1 max-w-prose text-muted">{t('admin.questions_export_text')}</p>
      <ul className="mt-4 grid gap-3">
        {written.map((locale) => (
          <li key={locale} className="flex flex-wrap items-center gap-x-5 gap-y-1">
            <span lang={locale} className="basis-full font-semibold sm:min-w-32 sm:basis-auto">
              {endonymOf(locale)}
            </span>
            {QUESTION_FORMATS.map((format) => (
              <a
                key={format}
                href={`${at}?format=${format}&locale=${locale}`}
                download
                className="link inline-block py-2"
              >
                <bdi>{NAMES[format]}</bdi>
              </a>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
