import { answerEvaluation, readMyEvaluation, skipEvaluation, type MyEvaluation } from '@officium/contract/evaluations';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox, FieldGroup, Radio, TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/evaluation.page';

const STEPS = [1, 2, 3, 4, 5];
const MAX_ANSWER = 1000;

const pathOf = ({ course, journey }: Route.LoaderArgs['params']) => ({ courseSlug: course, journeySlug: journey });

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  return { evaluation: await api(readMyEvaluation, { params: pathOf(params), query: { locale } }) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields, url } = await act(request, context);
  const path = { params: pathOf(params) };
  if (fields.get('intent') === 'skip') {
    await api(skipEvaluation, path);
    return redirect('/me/learning');
  }
  const { questions } = await api(readMyEvaluation, path);
  const answers = questions.map(({ id }) => ({
    question: id,
    choice: fields.getAll(`choice_${id}`).map(Number),
    text: textOf(fields, `text_${id}`),
  }));
  const answered = await attempt(answerEvaluation, { ...path, body: { answers } });
  return answered.ok ? redirectWith(url.pathname, { key: 'evaluation.thanks' }) : answered.refusal;
}

export default function EvaluationPage({ loaderData: { evaluation } }: Route.ComponentProps) {
  const { t } = useText();
  const isDone = evaluation.state === 'answered';
  return (
    <div className="page max-w-read py-10 md:py-16">
      <Head title={`${t('evaluation.title')} · ${evaluation.title}`} isPrivate />
      <p className="eyebrow">{evaluation.title}</p>
      <h1 className="mt-2 text-4xl md:text-5xl">{t('evaluation.title')}</h1>
      {isDone ? (
        <>
          <p className="mt-4 mb-8 text-lg text-muted">{t('evaluation.done')}</p>
          <LinkButton to="/me/learning">{t('common.learning_mine')}</LinkButton>
        </>
      ) : (
        <AnswerForm questions={evaluation.questions} />
      )}
    </div>
  );
}

function AnswerForm({ questions }: Pick<MyEvaluation, 'questions'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm className="mt-6 grid gap-8">
      <Notice>{t('evaluation.anonymous')}</Notice>
      {questions.map((question) => (
        <Question key={question.id} question={question} />
      ))}
      <div className="flex flex-wrap gap-3 border-t border-line pt-6">
        <Button isBusy={isSubmitting}>{t('evaluation.send')}</Button>
        <Button name="intent" value="skip" look="quiet">
          {t('evaluation.skip')}
        </Button>
      </div>
    </SmartForm>
  );
}

function Question({ question: { id, type, text, locale, options } }: { question: MyEvaluation['questions'][number] }) {
  const words = useText();
  const { t } = words;
  const title = (
    <span lang={locale} dir="auto">
      {text}
    </span>
  );
  if (type === 'text')
    return (
      <TextArea
        name={`text_${id}`}
        label={title}
        hint={t('evaluation.text_hint')}
        maxLength={MAX_ANSWER}
        hideOptional
      />
    );
  const name = `choice_${id}`;
  const labels = type === 'scale' ? STEPS.map((step) => stepLabel(words, step)) : options;
  return (
    <FieldGroup name={name} legend={title} hint={type === 'multiple' ? t('content.quiz_many') : undefined}>
      {labels.map((label, at) => {
        const choice = {
          name,
          value: String(at + 1),
          label: type === 'scale' ? label : <Option {...{ locale, label }} />,
        };
        return type === 'multiple' ? <Checkbox key={at} {...choice} /> : <Radio key={at} {...choice} />;
      })}
    </FieldGroup>
  );
}

function Option({ locale, label }: { locale: string; label: string }) {
  return (
    <span lang={locale} dir="auto">
      {label}
    </span>
  );
}

/** The ends of the scale have words. */
function stepLabel({ t, number }: ReturnType<typeof useText>, step: number): string {
  if (step === 1) return t('evaluation.step_least', { step });
  return step === STEPS.length ? t('evaluation.step_most', { step }) : number(step);
}
