import { useRef } from 'react';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useFormScope } from '../../form/form-scope.tsx';
import { issueOf } from '../../form/state.ts';
import { useText } from '../../text.tsx';
import { Checkbox, Field, FieldGroup, Select, TextArea, type Option } from '../../ui/field.tsx';
import { bytesOf, lengthOf, LIMITS, tagName, type Values } from './article-form.ts';
import { Counted } from './counted.tsx';
import { PAGE_BLOCKS } from '../../editor/markdown-blocks.ts';
import { MarkdownToolbar } from '../../editor/markdown-toolbar.tsx';
import { topicKey, TOPICS } from '../../topics.ts';

const LANGUAGES: readonly Option[] = LOCALES.map((value) => ({ value, label: endonymOf(value) }));

/** All fields of an article, with their initial `values`. */
export function ArticleFields({ values }: { values: Values }) {
  const { t, locale, number } = useText();
  const { title, subtitle, tldr, body } = LIMITS;
  return (
    <>
      <Counted max={title.max} measure={lengthOf}>
        <Field
          name="title"
          label={t('article.field_title')}
          hint={t('article.limit_range', title)}
          defaultValue={values['title']}
          autoComplete="off"
          dir="auto"
          required
        />
      </Counted>
      <Counted max={subtitle.max} measure={lengthOf}>
        <Field
          name="subtitle"
          label={t('article.field_subtitle')}
          hint={`${t('article.field_subtitle_hint')} ${t('article.limit_range', subtitle)}`}
          defaultValue={values['subtitle']}
          autoComplete="off"
          dir="auto"
          required
        />
      </Counted>
      <Select
        name="locale"
        label={t('article.field_language')}
        options={LANGUAGES}
        defaultValue={values['locale'] ?? locale}
        required
        className="w-72 max-w-full"
      />
      <Topics values={values} />
      <Counted
        max={body.maxBytes}
        measure={bytesOf}
        wording={(used) => t('article.count_space', { percent: number(used / body.maxBytes, PERCENT) })}
      >
        <BodyField values={values} />
      </Counted>
      <Counted max={tldr.max} measure={lengthOf}>
        <TextArea
          name="tldr"
          label={t('article.tldr')}
          hint={`${t('article.field_tldr_hint')} ${t('article.limit_max', tldr)}`}
          defaultValue={values['tldr']}
          rows={3}
          dir="auto"
        />
      </Counted>
      <CoverFields values={values} />
      <Ticked
        name="machine"
        label={t('article.field_machine')}
        hint={t('article.field_machine_hint')}
        values={values}
      />
    </>
  );
}

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const;

/** A checkbox that keeps its submitted state, else its initial one. */
function Ticked({ name, label, hint, values }: { name: string; label: string; hint?: string; values: Values }) {
  const { state } = useFormScope();
  return <Checkbox name={name} label={label} hint={hint} defaultChecked={name in (state?.values ?? values)} />;
}

function Topics({ values }: { values: Values }) {
  const { t } = useText();
  const { state } = useFormScope();
  return (
    <FieldGroup
      name="tags"
      legend={`${t('article.topics')} (${t('common.optional')})`}
      hint={t('article.topics_limit', { count: LIMITS.tags })}
      error={issueOf(state, 'tags') && t('article.topics_limit', { count: LIMITS.tags })}
    >
      <div className="grid gap-x-6 sm:grid-cols-2">
        {TOPICS.map((topic) => (
          <Ticked key={topic} name={tagName(topic)} label={t(topicKey(topic))} values={values} />
        ))}
      </div>
    </FieldGroup>
  );
}

function BodyField({ values }: { values: Values }) {
  const { t } = useText();
  return (
    <TextArea
      name="body"
      label={t('article.field_body')}
      hint={t('article.field_body_hint')}
      tools={<MarkdownToolbar target="body" blocks={PAGE_BLOCKS} />}
      defaultValue={values['body']}
      rows={16}
      dir="auto"
      required
      className="[&_textarea]:max-h-[75vh] [&_textarea]:min-h-80"
    />
  );
}

function CoverFields({ values }: { values: Values }) {
  const { t } = useText();
  const group = useRef<HTMLDivElement>(null);
  const field = (part: string) => ({
    name: `cover_${part}`,
    defaultValue: values[`cover_${part}`],
    hideOptional: true,
  });
  return (
    <FieldGroup legend={`${t('article.cover')} (${t('common.optional')})`} hint={t('article.cover_hint')}>
      <div ref={group} className="grid gap-4 border-s-4 border-line ps-4 pt-2">
        <Field
          {...field('url')}
          type="url"
          label={t('article.cover_url')}
          placeholder="https://"
          dir="ltr"
          autoComplete="off"
          onBlur={({ currentTarget }) => void fillSize(currentTarget.value, group.current)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field {...field('width')} inputMode="numeric" label={t('article.cover_width')} autoComplete="off" />
          <Field {...field('height')} inputMode="numeric" label={t('article.cover_height')} autoComplete="off" />
        </div>
        <Field
          {...field('description')}
          label={t('article.cover_alt')}
          hint={t('article.cover_alt_hint')}
          dir="auto"
          autoComplete="off"
        />
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field {...field('authorName')} label={t('article.cover_credit')} dir="auto" autoComplete="off" />
          <Field
            {...field('authorLink')}
            type="url"
            label={t('article.cover_credit_link')}
            placeholder="https://"
            dir="ltr"
            autoComplete="off"
          />
        </div>
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field
            {...field('title')}
            label={t('article.cover_title')}
            hideOptional={false}
            dir="auto"
            autoComplete="off"
          />
          <Field
            {...field('color')}
            label={t('article.cover_color')}
            hideOptional={false}
            placeholder="#0b6e6e"
            dir="ltr"
            autoComplete="off"
          />
        </div>
      </div>
    </FieldGroup>
  );
}

/** Loads the picture and fills in its size where those fields are empty. */
async function fillSize(url: string, group: HTMLElement | null): Promise<void> {
  if (!url.startsWith('https://') || !group) return;
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch {
    return; // no loadable picture: the writer enters the size
  }
  for (const [name, pixels] of [
    ['cover_width', picture.naturalWidth],
    ['cover_height', picture.naturalHeight],
  ] as const) {
    const input = group.querySelector<HTMLInputElement>(`input[name=${name}]`);
    if (!input || input.value !== '') continue;
    input.value = String(pixels);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
