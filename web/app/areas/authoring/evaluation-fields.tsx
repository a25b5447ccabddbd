import type { Piece } from '@officium/contract/authoring';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { FieldGroup, Select, TextArea } from '../../ui/field.tsx';
import { EVALUATION_TYPES, MAX_EVALUATION, type Doc } from './kinds.ts';
import { Beside } from './text-fields.tsx';

type Questions = Extract<Doc, { kind: 'journey' }>['evaluation'];
type Props = { questions: Questions; locales: readonly Locale[]; sourceLocale: Piece['sourceLocale'] };

/** The evaluation of a journey, with one empty question to add. Translators only read the source. */
export function EvaluationFields({ questions, locales, sourceLocale, mayEdit }: Props & { mayEdit: boolean }) {
  const { t } = useText();
  const hasRoom = mayEdit && questions.length < MAX_EVALUATION;
  if (!mayEdit && questions.length === 0) return null;
  return (
    <FieldGroup
      name="evaluation"
      legend={t('admin.content_field_evaluation')}
      hint={t('admin.content_evaluation_hint')}
    >
      <ol className="grid gap-6 pt-2">
        {Array.from({ length: questions.length + (hasRoom ? 1 : 0) }, (_, at) => (
          <Question key={at} {...{ questions, locales, sourceLocale, mayEdit, at }} />
        ))}
      </ol>
    </FieldGroup>
  );
}

function Question({ questions, locales, sourceLocale, mayEdit, at }: Props & { mayEdit: boolean; at: number }) {
  const { t } = useText();
  const question = questions[at];
  const name = `evaluation_${at}`;
  const hasOptions = mayEdit || Object.keys(question?.options ?? {}).length > 0;
  const field = (locale: Locale, part: 'text' | 'options') => ({
    name: `${name}_${part}_${locale}`,
    label: `${part === 'text' ? `${t('admin.content_kind_question')} ${at + 1}` : t('admin.content_evaluation_options', { number: at + 1 })} · ${endonymOf(locale)}`,
    defaultValue: question?.[part][locale] ?? '',
    lang: locale,
    dir: 'auto' as const,
    readOnly: !mayEdit && locale === sourceLocale,
    hideOptional: true,
  });
  return (
    <li className="grid gap-3 border-s-4 border-line ps-4">
      {mayEdit ? (
        <>
          <input type="hidden" name={`${name}_id`} value={question?.id ?? ''} />
          <Select
            name={`${name}_type`}
            label={t('admin.content_evaluation_type', { number: at + 1 })}
            options={EVALUATION_TYPES.map((type) => ({ value: type, label: t(`admin.content_evaluation_${type}`) }))}
            defaultValue={question?.type ?? 'scale'}
            required
            className="w-full max-w-72"
          />
        </>
      ) : null}
      <Beside locales={locales}>{(locale) => <TextArea {...field(locale, 'text')} rows={2} maxLength={500} />}</Beside>
      {hasOptions ? (
        <Beside locales={locales}>
          {(locale) => (
            <TextArea {...field(locale, 'options')} hint={t('admin.content_evaluation_options_hint')} rows={3} />
          )}
        </Beside>
      ) : null}
    </li>
  );
}
