import { useRef, useState, type ChangeEvent, type RefObject } from 'react';
import { PictureRefused, uploadPicture } from '../../editor/picture-upload.ts';
import { useText } from '../../text.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import type { Values } from './article-form.ts';
import { PICTURES_TO } from './pictures-to.ts';

type Author = { id: string; name: string };
type Step = 'idle' | 'sending' | 'added' | { refused: string };

/** The cover: a picture to upload, or the address of one. With script it is uploaded once it is chosen. */
export function CoverFields({ values, author }: { values: Values; author: Author }) {
  const { t } = useText();
  const group = useRef<HTMLDivElement>(null);
  const field = (part: string) => ({
    name: `cover_${part}`,
    defaultValue: values[`cover_${part}`],
    hideOptional: true,
    autoComplete: 'off',
  });
  return (
    <FieldGroup legend={`${t('article.cover')} (${t('common.optional')})`} hint={t('article.cover_hint')}>
      <div ref={group} className="grid gap-4 border-s-4 border-line ps-4 pt-2">
        <CoverFile group={group} author={author} />
        <Field
          {...field('url')}
          inputMode="url"
          label={t('article.cover_url')}
          placeholder="https://"
          dir="ltr"
          onBlur={({ currentTarget }) => void fillSize(currentTarget.value, group.current)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field {...field('width')} inputMode="numeric" label={t('article.cover_width')} />
          <Field {...field('height')} inputMode="numeric" label={t('article.cover_height')} />
        </div>
        <Field {...field('description')} label={t('article.cover_alt')} hint={t('article.cover_alt_hint')} dir="auto" />
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field {...field('authorName')} label={t('article.cover_credit')} dir="auto" />
          <Field
            {...field('authorLink')}
            type="url"
            label={t('article.cover_credit_link')}
            placeholder="https://"
            dir="ltr"
          />
        </div>
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field {...field('title')} label={t('article.cover_title')} hideOptional={false} dir="auto" />
          <Field
            {...field('color')}
            label={t('article.cover_color')}
            hideOptional={false}
            placeholder="#0b6e6e"
            dir="ltr"
          />
        </div>
      </div>
    </FieldGroup>
  );
}

function CoverFile({ group, author }: { group: RefObject<HTMLDivElement | null>; author: Author }) {
  const { t, maybe } = useText();
  const [step, setStep] = useState<Step>('idle');
  const choose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    setStep('sending');
    try {
      const { url, width, height, color = '' } = await uploadPicture(PICTURES_TO, file);
      input.value = ''; // it is sent
      fill(group.current, { url, width: String(width), height: String(height), color });
      fillEmpty(group.current, { authorName: author.name, authorLink: `${location.origin}/people/${author.id}` });
      setStep('added');
      inputOf(group.current, 'description')?.focus();
    } catch (error) {
      setStep({ refused: error instanceof PictureRefused ? error.message : '' });
    }
  };
  return (
    <div>
      <Field
        name="cover_file"
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        label={t('compose.picture_file')}
        hint={t('compose.picture_hint')}
        hideOptional
        onChange={(event: ChangeEvent<HTMLInputElement>) => void choose(event)}
      />
      <p role="status" className="mt-1 text-sm text-muted">
        {step === 'sending' ? t('compose.picture_sending') : step === 'added' ? t('article.cover_added') : null}
      </p>
      {typeof step === 'object' ? (
        <p role="alert" className="mt-1 text-sm font-semibold text-danger">
          {maybe(`errors.${step.refused}`) ?? t('compose.picture_failed')}
        </p>
      ) : null}
    </div>
  );
}

const inputOf = (group: HTMLElement | null, part: string) =>
  group?.querySelector<HTMLInputElement>(`input[name=cover_${part}]`);

/** Writes values into the fields of the cover, as typing does. */
function fill(group: HTMLElement | null, values: Record<string, string>): void {
  for (const [part, value] of Object.entries(values)) {
    const input = inputOf(group, part);
    if (!input || input.value === value) continue;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

function fillEmpty(group: HTMLElement | null, values: Record<string, string>): void {
  fill(group, Object.fromEntries(Object.entries(values).filter(([part]) => inputOf(group, part)?.value === '')));
}

/** Loads the picture of an address and fills in its size where those fields are empty. */
async function fillSize(url: string, group: HTMLElement | null): Promise<void> {
  if (!url.startsWith('https://') || !group) return;
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch {
    return; // no loadable picture: the writer enters the size
  }
  fillEmpty(group, { width: String(picture.naturalWidth), height: String(picture.naturalHeight) });
}
