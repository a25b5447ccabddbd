import type { PiecePart } from '@officium/contract/authoring';
import { useText } from '../../text.tsx';
import { Field } from '../../ui/field.tsx';
import { fieldsOf, shownAs } from './outline-lessons.ts';
import { Ticked } from './ticked.tsx';
import type { Outline } from './use-outline.ts';

/** The minutes of a lesson and whether it is mandatory, saved with the journey in the lesson's own draft. */
export function LessonRowFields({ part, title, outline }: { part: PiecePart; title: string; outline: Outline }) {
  const { t } = useText();
  const { minutes = 0, mandatory = true } = part;
  const names = fieldsOf(part.key);
  const typed = outline.typedOf(part.key);
  const about = <span className="sr-only">: {title}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <input type="hidden" name={names.was} value={shownAs({ minutes, mandatory })} />
      <span className="flex items-center gap-2">
        <Field
          name={names.minutes}
          label={
            <>
              {t('admin.content_field_minutes')}
              {about}
            </>
          }
          hideLabel
          defaultValue={typed?.minutes ?? String(minutes)}
          inputMode="numeric"
          autoComplete="off"
          className="w-20"
        />
        <span aria-hidden="true" className="text-sm">
          {t('admin.content_field_minutes')}
        </span>
      </span>
      <span className="text-sm">
        <Ticked
          name={names.mandatory}
          label={
            <>
              {t('admin.content_outline_mandatory')}
              {about}
            </>
          }
          isOn={typed?.mandatory ?? mandatory}
        />
      </span>
    </span>
  );
}
