import { useText } from '../../text.tsx';
import { Field } from '../../ui/field.tsx';
import type { Doc } from './kinds.ts';

type Props = { doc: Extract<Doc, { kind: 'event' }> };

/** When and where an event takes place. */
export function ScheduleFields({ doc }: Props) {
  const { t } = useText();
  return (
    <>
      <TimeFields doc={doc} />
      <PlaceFields doc={doc} />
      {(['community', 'course'] as const).map((name) => (
        <Field
          key={name}
          name={name}
          label={t(`admin.content_field_${name}`)}
          hint={t('admin.content_belongs_hint')}
          defaultValue={doc[name] ?? ''}
          dir="ltr"
          autoComplete="off"
        />
      ))}
    </>
  );
}

function TimeFields({ doc }: Props) {
  const { t } = useText();
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        {(['starts', 'ends'] as const).map((name) => (
          <Field
            key={name}
            name={name}
            type="datetime-local"
            label={t(`admin.content_field_${name}`)}
            defaultValue={doc[name] ?? ''}
            autoComplete="off"
            hideOptional
          />
        ))}
      </div>
      <Field
        name="timeZone"
        label={t('admin.content_field_timeZone')}
        hint={t('admin.content_timeZone_hint')}
        defaultValue={doc.timeZone}
        dir="ltr"
        autoComplete="off"
        required
        className="w-72 max-w-full"
      />
      <Field
        name="recurrence"
        label={t('admin.content_field_recurrence')}
        hint={t('admin.content_recurrence_hint')}
        defaultValue={doc.recurrence ?? ''}
        dir="ltr"
        autoComplete="off"
      />
    </>
  );
}

/** Fields for the place, the seats and the recording. */
function PlaceFields({ doc }: Props) {
  const { t } = useText();
  return (
    <>
      <Field
        name="place"
        label={t('admin.content_field_place')}
        defaultValue={doc.place ?? ''}
        dir="auto"
        maxLength={300}
        autoComplete="off"
      />
      <Field
        name="link"
        type="url"
        label={t('admin.content_field_link')}
        hint={t('admin.content_link_hint')}
        defaultValue={doc.link ?? ''}
        dir="ltr"
        autoComplete="off"
      />
      <Field
        name="capacity"
        label={t('admin.content_field_capacity')}
        hint={t('admin.content_capacity_hint')}
        defaultValue={doc.capacity === null ? '' : String(doc.capacity)}
        inputMode="numeric"
        autoComplete="off"
        className="w-40"
      />
      <Field
        name="recording"
        type="url"
        label={t('admin.content_field_recording')}
        hint={t('admin.content_recording_hint')}
        defaultValue={doc.recording ?? ''}
        dir="ltr"
        autoComplete="off"
      />
    </>
  );
}
