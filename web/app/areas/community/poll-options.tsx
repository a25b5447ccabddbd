import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

const FEWEST = 2;
const POSITIONS = [1, 2, 3, 4, 5] as const;
const MOST = POSITIONS.length;

/** The options of a new poll: all five fields without script; with it two, and more on demand. */
export function PollOptions() {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<number>(MOST);
  const [isScripted, setIsScripted] = useState(false);

  useEffect(() => {
    const element = box.current;
    const showFilled = () => {
      const filled = fieldsOf(element).findLastIndex((field) => field.value.trim() !== '') + 1;
      setShown((last) => Math.max(FEWEST, filled, last === MOST ? 0 : last));
    };
    showFilled();
    setIsScripted(true);
    element?.addEventListener('refill', showFilled);
    return () => element?.removeEventListener('refill', showFilled);
  }, []);

  const add = () => {
    setShown(shown + 1);
    // After it is rendered.
    requestAnimationFrame(() => fieldsOf(box.current)[shown]?.focus());
  };
  const remove = (index: number) => {
    const fields = fieldsOf(box.current);
    for (const [at, field] of fields.entries()) if (at >= index) field.value = fields[at + 1]?.value ?? '';
    fields[0]?.dispatchEvent(new Event('input', { bubbles: true }));
    setShown(shown - 1);
    fields[Math.min(index, shown - 2)]?.focus();
  };
  return (
    <FieldGroup legend={t('community.poll_options')} hint={t('community.poll_options_hint')} name="options">
      <div ref={box} className="grid gap-3">
        {POSITIONS.map((position) => (
          <div key={position} hidden={position > shown} className={position > shown ? '' : 'flex items-end gap-1'}>
            <Field
              name={`option${position}`}
              label={t('community.poll_option', { position })}
              maxLength={100}
              dir="auto"
              autoComplete="off"
              required={position <= FEWEST}
              className="min-w-0 flex-1"
            />
            {isScripted && shown > FEWEST ? (
              <button
                type="button"
                aria-label={t('compose.option_remove', { position })}
                title={t('compose.option_remove', { position })}
                className="inline-flex size-11 shrink-0 items-center justify-center rounded text-muted hover:bg-accent-soft hover:text-accent"
                onClick={() => remove(position - 1)}
              >
                <Icon as={X} size={18} />
              </button>
            ) : null}
          </div>
        ))}
      </div>
      {isScripted && shown < MOST ? (
        <Button type="button" look="quiet" className="mt-2" onClick={add}>
          <Icon as={Plus} size={18} />
          {t('compose.option_add')}
        </Button>
      ) : null}
    </FieldGroup>
  );
}

function fieldsOf(box: HTMLElement | null): HTMLInputElement[] {
  return [...(box?.querySelectorAll('input') ?? [])];
}
