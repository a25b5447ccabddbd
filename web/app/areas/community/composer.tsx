import { ChartColumn, PenLine } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { DraftKeeper, DraftMark } from '../../editor/draft-keeper.tsx';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, FieldGroup, Radio, Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PollOptions } from './poll-options.tsx';
import { BodyField, CategoryFields, LanguageField } from './write-fields.tsx';
import { DEADLINES } from './write.ts';

type Props = { title: string; categories: string[]; author: { name: string; thumbnail: string | null } };

/** Two buttons that open the form for a post or a poll, one at a time. */
export function Composer({ title, categories, author }: Props) {
  const { t } = useText();
  const [search] = useSearchParams();
  const refused = useFormState()?.values?.['intent'];
  const wanted = refused ?? search.get('write');
  return (
    <section aria-labelledby="composer" className="card px-4 py-3 sm:px-5" id="write">
      <h2 id="composer" className="sr-only">
        {t('community.compose')}
      </h2>
      <Fold
        isOpen={wanted === 'post'}
        label={
          <>
            <Avatar name={author.name} src={author.thumbnail} size={40} />
            <span className="flex min-h-11 flex-1 items-center gap-2 rounded-full border border-edge px-4 text-muted group-open:border-transparent group-open:px-0 group-open:font-semibold group-open:text-ink">
              <Icon as={PenLine} size={18} />
              {t('community.write_post', { title })}
            </span>
            <DraftMark form="post-" />
          </>
        }
      >
        <PostForm title={title} categories={categories} />
      </Fold>
      <Fold
        isOpen={wanted === 'poll'}
        label={
          <span className="ms-13 flex min-h-11 items-center gap-2 text-accent group-open:ms-0 group-open:font-semibold group-open:text-ink">
            <Icon as={ChartColumn} size={18} />
            {t('community.write_poll')}
            <DraftMark form="poll-" />
          </span>
        }
      >
        <PollForm title={title} />
      </Fold>
    </section>
  );
}

function Fold({ isOpen, label, children }: { isOpen: boolean; label: ReactNode; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  return (
    <details
      ref={details}
      name="composer"
      open={isOpen}
      className="group"
      onToggle={() => {
        const element = details.current;
        if (element?.open && !element.contains(document.activeElement?.closest('form') ?? null))
          element.querySelector<HTMLElement>('input:not([type=hidden]), textarea')?.focus();
      }}
    >
      <summary className="flex items-center gap-3 rounded py-1">{label}</summary>
      <div className="pt-2 pb-3">{children}</div>
    </details>
  );
}

function PostForm({ title, categories }: Pick<Props, 'title' | 'categories'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('post');
  return (
    <SmartForm intent="post" encType="multipart/form-data" className="grid gap-5">
      <Field name="title" label={t('community.title')} maxLength={300} dir="auto" autoComplete="off" />
      <BodyField label={t('community.body')} />
      <CategoryFields categories={categories} />
      <LanguageField />
      <div>
        <Button isBusy={isSubmitting}>{t('community.publish_post', { title })}</Button>
      </div>
    </SmartForm>
  );
}

function PollForm({ title }: Pick<Props, 'title'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('poll');
  const state = useFormState();
  const kept = state?.values?.['intent'] === 'poll' ? state.values : undefined;
  return (
    <SmartForm intent="poll" className="grid gap-5">
      <DraftKeeper />
      <Field name="title" label={t('community.poll_question')} maxLength={300} dir="auto" autoComplete="off" required />
      <PollOptions />
      <Select
        name="deadline"
        label={t('community.poll_deadline')}
        required
        defaultValue="7"
        className="w-64 max-w-full"
        options={DEADLINES.map((days) => ({
          value: String(days),
          label: days ? t('community.poll_deadline_days', { days }) : t('community.poll_deadline_none'),
        }))}
      />
      <FieldGroup legend={t('community.poll_results')} name="results">
        <Radio
          name="results"
          value="after-voting"
          label={t('community.poll_results_after')}
          hint={t('community.poll_results_after_hint')}
          defaultChecked={kept?.['results'] !== 'always'}
        />
        <Radio
          name="results"
          value="always"
          label={t('community.poll_results_always')}
          defaultChecked={kept?.['results'] === 'always'}
        />
      </FieldGroup>
      <Checkbox
        name="several"
        label={t('community.poll_allow_several')}
        defaultChecked={kept ? 'several' in kept : false}
      />
      <LanguageField />
      <p className="text-sm text-muted">{t('community.poll_note')}</p>
      <div>
        <Button isBusy={isSubmitting}>{t('community.publish_poll', { title })}</Button>
      </div>
    </SmartForm>
  );
}
