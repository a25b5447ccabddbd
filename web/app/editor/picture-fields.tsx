import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState, type ComponentType } from 'react';
import { useFormScope } from '../form/form-scope.tsx';
import { issueOf } from '../form/state.ts';
import { useText } from '../text.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { InsertionProps } from './picture-insertion.tsx';

/**
 * Adds a picture to the text of its form; `to` is the API address for uploads. Without script it is sent with the form; the script that inserts it where the
 * cursor is loads with the first use of the form.
 */
export function PictureFields({ to }: { to: string }) {
  const { t } = useText();
  const { state } = useFormScope();
  const panel = useRef<HTMLDetailsElement>(null);
  const [Insertion, setInsertion] = useState<ComponentType<InsertionProps> | null>(null);
  useEffect(() => {
    const form = panel.current?.closest('form');
    const stop = new AbortController();
    const load = () => {
      stop.abort();
      import('./picture-insertion.tsx').then(
        (module) => setInsertion(() => module.PictureInsertion),
        () => {}, // offline: the picture is sent with the form
      );
    };
    for (const event of ['focusin', 'dragenter']) form?.addEventListener(event, load, { signal: stop.signal });
    if (form?.contains(document.activeElement)) load();
    return () => stop.abort();
  }, []);
  return (
    <details ref={panel} open={issueOf(state, 'picture_alt') !== undefined || undefined} className="mt-1">
      <summary className="link inline-flex min-h-9 items-center gap-2 text-sm">
        <Icon as={ImagePlus} size={18} />
        {t('compose.picture')}
      </summary>
      <div className="mt-1 grid gap-4 rounded border border-line p-4">
        <Field
          name="picture"
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif"
          label={t('compose.picture_file')}
          hint={t('compose.picture_hint')}
          hideOptional
        />
        <Field
          name="picture_alt"
          label={t('compose.picture_alt')}
          hint={t('compose.picture_alt_hint')}
          maxLength={500}
          dir="auto"
          autoComplete="off"
          hideOptional
        />
        {Insertion ? <Insertion panel={panel} to={to} /> : null}
      </div>
    </details>
  );
}
