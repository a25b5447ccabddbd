import type { Assessment } from '@officium/contract/assessment';
import { useText } from '../../text.tsx';
import { Field, FieldGroup, Select, TextArea } from '../../ui/field.tsx';
import { REVIEWS } from './kinds.ts';
import { Ticked } from './ticked.tsx';

const DEFAULTS: Assessment = {
  passMark: 70,
  attempts: null,
  minutes: null,
  draw: null,
  shuffle: false,
  review: 'result',
};

/** The settings of a lesson that is passed; they count while the checkbox is ticked. */
export function AssessmentFields({ assessment }: { assessment: Assessment | null }) {
  const { t } = useText();
  const { passMark, attempts, minutes, draw, drawTags = [], bank = false, shuffle, review } = assessment ?? DEFAULTS;
  const number = (name: string, value: number | null) => ({
    name: `assessment_${name}`,
    defaultValue: value === null ? '' : String(value),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    hideOptional: true,
    className: 'w-56 max-w-full',
  });
  return (
    <FieldGroup legend={t('admin.content_field_assessment')} hint={t('admin.content_assessment_hint')}>
      <div className="grid max-w-prose gap-5 pt-2">
        <Ticked name="assessment" label={t('admin.content_assessment_on')} isOn={assessment !== null} />
        <Field {...number('passMark', passMark)} label={t('admin.content_assessment_passMark')} />
        <Field
          {...number('attempts', attempts)}
          label={t('admin.content_assessment_attempts')}
          hint={t('admin.content_assessment_no_limit')}
        />
        <Field
          {...number('minutes', minutes)}
          label={t('admin.content_assessment_minutes')}
          hint={t('admin.content_assessment_no_limit')}
        />
        <Field
          {...number('draw', draw)}
          label={t('admin.content_assessment_draw')}
          hint={t('admin.content_assessment_all')}
        />
        <TextArea
          name="assessment_drawTags"
          label={t('admin.content_assessment_drawTags')}
          hint={t('admin.content_assessment_drawTags_hint')}
          defaultValue={drawTags.map(({ tag, count }) => `${tag}: ${count}`).join('\n')}
          rows={2}
          dir="auto"
          hideOptional
        />
        <Ticked name="assessment_bank" label={t('admin.content_assessment_bank')} isOn={bank} />
        <Ticked name="assessment_shuffle" label={t('admin.content_assessment_shuffle')} isOn={shuffle} />
        <Select
          name="assessment_review"
          label={t('admin.content_assessment_review')}
          options={REVIEWS.map((value) => ({ value, label: t(`admin.content_assessment_review_${value}`) }))}
          defaultValue={review}
          required
        />
      </div>
    </FieldGroup>
  );
}
