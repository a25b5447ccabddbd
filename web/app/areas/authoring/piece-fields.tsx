import type { Piece } from '@officium/contract/authoring';
import { endonymOf, LOCALES, type Locale } from '@officium/i18n/locales';
import { useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, FieldGroup, Select, TextArea } from '../../ui/field.tsx';
import { AdditionSummary } from './addition-summary.tsx';
import { AssessmentFields } from './assessment-fields.tsx';
import { ContactFields } from './contact-fields.tsx';
import { PRIVACIES, type Doc } from './kinds.ts';
import { EvaluationFields } from './evaluation-fields.tsx';
import { MediaFields } from './media-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { Beside } from './text-fields.tsx';
import { Ticked } from './ticked.tsx';
import { titleOf } from './title.ts';
import { TopicFields } from './topic-fields.tsx';

type Props = { piece: Piece; locales: readonly Locale[] };

/** Fields shared by all languages of a piece, and its pictures. */
export function PieceFields({ piece, locales }: Props) {
  const { t } = useText();
  const { doc } = piece;
  return (
    <>
      {'body' in doc ? (
        <div className="divide-y divide-line border-y border-line">
          <PictureFields locales={locales} />
          <MediaFields piece={piece} locales={locales} />
        </div>
      ) : null}
      {'cover' in doc ? <CoverFields piece={piece} locales={locales} /> : null}
      <FieldGroup legend={t('admin.content_common')}>
        <div className="grid max-w-prose gap-5 pt-2">
          <Field
            name="slug"
            label={t('admin.content_field_slug')}
            hint={t('admin.content_slug_hint')}
            defaultValue={doc.slug}
            dir="ltr"
            autoComplete="off"
            required
          />
          <Particulars piece={piece} />
          {doc.kind === 'event' ? <ScheduleFields doc={doc} /> : null}
          {'topics' in doc ? <TopicFields topics={doc.topics} /> : null}
          {doc.kind === 'course' ? (
            <ContactFields contacts={doc.contacts} locales={locales} hasProfiles={!piece.capabilities} />
          ) : null}
          <Select
            name="source"
            label={t('admin.content_source')}
            hint={t('admin.content_source_hint')}
            options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
            defaultValue={piece.sourceLocale}
            required
            className="w-72 max-w-full"
          />
        </div>
      </FieldGroup>
      {doc.kind === 'lesson' ? <AssessmentFields assessment={doc.assessment} /> : null}
      {doc.kind === 'journey' ? (
        <EvaluationFields questions={doc.evaluation} locales={locales} sourceLocale={piece.sourceLocale} mayEdit />
      ) : null}
    </>
  );
}

/** Only administrators choose who may see and buy a piece, and the courses of an academy. */
function Particulars({ piece: { doc, courses, capabilities } }: { piece: Piece }) {
  const { t } = useText();
  const isAll = !capabilities;
  return (
    <>
      {'minutes' in doc ? (
        <Field
          name="minutes"
          label={t('admin.content_field_minutes')}
          defaultValue={String(doc.minutes)}
          inputMode="numeric"
          autoComplete="off"
          required
          className="w-40"
        />
      ) : null}
      {'mandatory' in doc ? (
        <Ticked name="mandatory" label={t('admin.content_field_mandatory')} isOn={doc.mandatory} />
      ) : null}
      {isAll && (doc.kind === 'journey' || doc.kind === 'community') ? (
        <Select
          name="privacy"
          label={t('admin.content_field_privacy')}
          options={PRIVACIES[doc.kind].map((value) => ({ value, label: t(`admin.content_privacy_${value}`) }))}
          defaultValue={doc.privacy}
          required
        />
      ) : null}
      {isAll && doc.kind === 'journey' ? <PriceField price={doc.price} /> : null}
      {doc.kind === 'journey' ? <MonthsField months={doc.certificateMonths} /> : null}
      {isAll && doc.kind === 'course' ? (
        <Select
          name="type"
          label={t('admin.content_field_type')}
          options={(['Public', 'Private'] as const).map((value) => ({
            value,
            label: t(`admin.content_type_${value}`),
          }))}
          defaultValue={doc.type}
          required
        />
      ) : null}
      {'humanTranslation' in doc ? (
        <Ticked name="humanTranslation" label={t('admin.content_field_humanTranslation')} isOn={doc.humanTranslation} />
      ) : null}
      {doc.kind === 'community' ? <CommunityFields doc={doc} /> : null}
      {'items' in doc ? (
        <TextArea
          name="items"
          label={t('admin.content_field_items')}
          hint={t('admin.content_items_hint')}
          defaultValue={doc.items.map((path) => `/${path}`).join('\n')}
          dir="ltr"
          rows={6}
          hideOptional
        />
      ) : null}
      {isAll && doc.kind === 'academy' ? <CourseChoice doc={doc} courses={courses} /> : null}
    </>
  );
}

function PriceField({ price }: { price: string | null }) {
  const { t } = useText();
  return (
    <Field
      name="price"
      label={t('admin.content_field_price')}
      hint={t('admin.content_price_hint')}
      defaultValue={price ?? ''}
      autoComplete="off"
      dir="ltr"
      className="w-40"
    />
  );
}

/** The months for which the certificate of a journey is valid. */
function MonthsField({ months }: { months: number | null }) {
  const { t } = useText();
  return (
    <Field
      name="certificateMonths"
      label={t('admin.content_field_certificateMonths')}
      hint={t('admin.content_certificateMonths_hint')}
      defaultValue={months === null ? '' : String(months)}
      inputMode="numeric"
      autoComplete="off"
      className="w-40"
    />
  );
}

function CommunityFields({ doc }: { doc: Extract<Doc, { kind: 'community' }> }) {
  const { t } = useText();
  return (
    <>
      <Select
        name="locale"
        label={t('admin.content_field_locale')}
        options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
        defaultValue={doc.locale}
        required
        className="w-72 max-w-full"
      />
      <Field
        name="categories"
        label={t('admin.content_field_categories')}
        hint={t('admin.content_categories_hint')}
        defaultValue={doc.categories.join(', ')}
        dir="auto"
        autoComplete="off"
      />
    </>
  );
}

/** The courses of an academy. */
function CourseChoice({ doc, courses }: { doc: Extract<Doc, { kind: 'academy' }>; courses: Piece['courses'] }) {
  const { t, locale } = useText();
  return (
    <FieldGroup legend={t('admin.content_field_courses')}>
      {courses.map((course) => (
        <Checkbox
          key={course.key}
          name="course"
          value={course.key}
          label={titleOf(course.title, locale).text}
          defaultChecked={doc.courses.includes(course.key)}
        />
      ))}
    </FieldGroup>
  );
}

const TYPES = 'image/jpeg,image/png,image/webp,image/gif';

/** Adds a picture to the text of one language, with alternative text unless it is decorative. */
function PictureFields({ locales }: { locales: readonly Locale[] }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('picture');
  return (
    <details className="group py-1">
      <AdditionSummary>{t('admin.content_picture_add')}</AdditionSummary>
      <div className="grid max-w-prose gap-4 py-3">
        <Field
          name="picture_file"
          type="file"
          accept={TYPES}
          label={t('admin.content_picture_file')}
          hint={t('admin.content_picture_hint')}
          hideOptional
        />
        <Field
          name="picture_alt"
          label={t('admin.content_picture_alt')}
          hint={t('admin.content_picture_alt_hint')}
          dir="auto"
          autoComplete="off"
          maxLength={500}
          hideOptional
        />
        <Checkbox name="decorative" label={t('admin.content_picture_decorative')} />
        <Select
          name="picture_locale"
          label={t('admin.content_picture_language')}
          options={locales.map((value) => ({ value, label: endonymOf(value) }))}
          hideOptional
          className="w-72 max-w-full"
        />
        <div>
          <Button name="intent" value="picture" look="secondary" isBusy={isSubmitting}>
            {t('admin.content_picture_put')}
          </Button>
        </div>
      </div>
    </details>
  );
}

function CoverFields({ piece, locales }: Props) {
  const { t } = useText();
  const { doc, pictures } = piece;
  if (!('cover' in doc)) return null;
  const cover = pictures.find((picture) => picture.path === doc.cover);
  return (
    <FieldGroup legend={t('admin.content_field_cover')}>
      <div className="grid gap-4 border-s-4 border-line ps-4 pt-2">
        {cover ? (
          <>
            <img src={cover.url} alt="" className="max-h-48 max-w-full rounded border border-line" />
            <Checkbox name="no_cover" label={t('admin.content_cover_remove')} />
          </>
        ) : null}
        <div className="flex flex-wrap items-end gap-3">
          <Field name="cover_file" type="file" accept={TYPES} label={t('admin.content_picture_file')} hideOptional />
          <Button name="intent" value="cover" look="secondary">
            {t('admin.content_cover_put')}
          </Button>
        </div>
        <Beside locales={locales}>
          {(locale) => (
            <Field
              name={`coverAlt_${locale}`}
              label={`${t('admin.content_field_coverAlt')} · ${endonymOf(locale)}`}
              hint={t('admin.content_cover_alt_hint')}
              defaultValue={doc.coverAlt[locale] ?? ''}
              lang={locale}
              dir="auto"
              autoComplete="off"
              hideOptional
            />
          )}
        </Beside>
      </div>
    </FieldGroup>
  );
}
