import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useFormScope } from '../../form/form-scope.tsx';
import { issueOf } from '../../form/state.ts';
import { useText } from '../../text.tsx';
import { Checkbox, Field, FieldGroup, Select, TextArea, type Option } from '../../ui/field.tsx';
import { bytesOf, lengthOf, LIMITS, tagName, type Values } from './article-form.ts';
import { Counted } from './counted.tsx';
import { CoverFields } from './cover-fields.tsx';
import { PICTURES_TO } from './pictures-to.ts';
import { PictureFields } from '../../editor/lazy-picture-fields.tsx';
import { DocumentField } from '../../editor/document-field.tsx';
import { ARTICLE_PICTURE_PATH } from '../../editor/picture-path.ts';
import { PAGE_BLOCKS } from '../../editor/markdown-blocks.ts';
import { topicKey, TOPICS } from '../../topics.ts';

export type Author = { id: string; name: string };

const LANGUAGES: readonly Option[] = LOCALES.map((value) => ({ value, label: endonymOf(value) }));

/** All fields of an article, with their initial `values`. */
export function ArticleFields({ values, author }: { values: Values; author: Author }) {
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
      <PictureFields to={PICTURES_TO} />
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
      <CoverFields values={values} author={author} />
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
    <DocumentField
      name="body"
      label={t('article.field_body')}
      hint={t('article.field_body_hint')}
      blocks={PAGE_BLOCKS}
      canUpload
      pictureAddress={(src) => (src.startsWith(ARTICLE_PICTURE_PATH) ? src : undefined)}
      defaultValue={values['body']}
      rows={16}
      dir="auto"
      required
      className="[&_textarea]:max-h-[75vh] [&_textarea]:min-h-80"
    />
  );
}
