import { MAX_MARK_COMMENT, markAttempt, readMarking } from '@officium/contract/marking';
import { Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { keepable } from '../../form/state.ts';
import { act, refuse } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';
import { wordsIn } from '../../ui/words-in.ts';
import type { Route } from './+types/marking.page';
import { commentName, type MarkedQuestion, markingPath, marksIn, mostOf, pointsName } from './marking.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context, 'mark-answers');
  const marking = await api(readMarking, { params: { attemptId: params.id }, query: { locale } });
  // Counted once, because servers and browsers may divide words differently.
  const questions = marking.questions.map((each) => ({ ...each, written: wordsIn(each.answer, marking.locale) }));
  return { ...marking, questions };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const at = { attemptId: params.id };
  const { questions } = await api(readMarking, { params: at, query: {} });
  const { marks, issues } = marksIn(fields, questions);
  const [first] = issues;
  if (first) return refuse({ message: first.message, issues, values: keepable(fields), status: 400 }, 400);
  const done = await attempt(markAttempt, { params: at, body: { version: Number(fields.get('version')), marks } });
  return done.ok ? redirectWith(markingPath(params.id), { key: 'common.saved' }) : done.refusal;
}

export default function MarkingPage({ loaderData: marking }: Route.ComponentProps) {
  const { t, number } = useText();
  const { learner, course, lesson, submittedAt, others } = marking;
  return (
    <Admin
      title={t('admin.marking_of', { name: learner.name })}
      crumb={
        <Link to="/admin/marking" className="link inline-block py-1.5">
          {t('admin.marking')}
        </Link>
      }
      intro={
        <p className="flex flex-wrap gap-x-4">
          <bdi>{lesson.title}</bdi>
          <bdi>{course.title}</bdi>
          <span>
            {t('admin.marking_submitted')}: <Time value={submittedAt} look="exact" />
          </span>
        </p>
      }
    >
      <Result marking={marking} />
      {others.points > 0 ? (
        <p className="mb-6">
          {t('admin.marking_others', { earned: number(others.earned), points: number(others.points) })}
        </p>
      ) : null}
      <MarksForm key={marking.version} marking={marking} />
    </Admin>
  );
}

type Shown = Route.ComponentProps['loaderData'];

function Result({ marking: { score, passed, passMark } }: { marking: Shown }) {
  const { t, number } = useText();
  if (score === null) return null;
  const percent = (value: number) => number(value / 100, { style: 'percent' });
  return (
    <div className="mb-6">
      <Notice tone={passed ? 'success' : 'danger'} title={t(passed ? 'assessment.passed' : 'assessment.failed')}>
        {percent(score)} · {t('assessment.pass_mark', { mark: percent(passMark) })}
      </Notice>
    </div>
  );
}

function MarksForm({ marking }: { marking: Shown }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm className="grid max-w-3xl gap-8">
      <input type="hidden" name="version" value={marking.version} />
      <p className="text-muted">{t('admin.marking_hint')}</p>
      {marking.questions.map((question) => (
        <Question key={question.number} question={question} lang={marking.locale} />
      ))}
      <div>
        <Button isBusy={isSubmitting} className="max-sm:w-full">
          {t('admin.marking_save')}
        </Button>
      </div>
    </SmartForm>
  );
}

function Question({ question, lang }: { question: Shown['questions'][number]; lang: string }) {
  const { t } = useText();
  const { number, questionHtml, moreHtml, modelAnswerHtml, words, answer, mark } = question;
  const heading = `question-${number}`;
  return (
    <section aria-labelledby={heading} className="quiz-card">
      <h2 id={heading} className="text-lg">
        <RichText html={questionHtml} lang={lang} isCompact isInline />
      </h2>
      {moreHtml ? <RichText html={moreHtml} lang={lang} isCompact className="mt-2" /> : null}
      <h3 className="mt-4 text-base font-semibold">{t('admin.evaluation_answer')}</h3>
      <p className="mt-1 border-s-4 border-line ps-3 whitespace-pre-line wrap-anywhere" lang={lang} dir="auto">
        {answer}
      </p>
      <p className="mt-1 text-sm text-muted">
        {t('assessment.words_count', { count: question.written })}
        {words === null ? null : ` · ${t('content.quiz_words', { count: words })}`}
      </p>
      {modelAnswerHtml ? (
        <details className="mt-2">
          <summary className="link inline-block min-h-11 cursor-pointer py-2">{t('assessment.model_answer')}</summary>
          <RichText html={modelAnswerHtml} lang={lang} isCompact />
        </details>
      ) : null}
      <div className="mt-4 grid gap-4">
        {mostOf(question).map((most, at) => (
          <PointsField key={at} question={question} at={at} most={most} lang={lang} />
        ))}
        <TextArea
          name={commentName(number)}
          label={t('admin.marking_comment')}
          maxLength={MAX_MARK_COMMENT}
          defaultValue={mark?.comment ?? ''}
          dir="auto"
        />
      </div>
    </section>
  );
}

type PointsProps = { question: MarkedQuestion; at: number; most: number; lang: string };

function PointsField({ question: { number, criteria, mark }, at, most, lang }: PointsProps) {
  const { t, number: say } = useText();
  const criterion = criteria[at];
  const points = t('admin.marking_points', { points: say(most) });
  return (
    <Field
      name={pointsName(number, at)}
      label={criterion ? <RichText html={criterion.html} lang={lang} isCompact isInline /> : points}
      hint={criterion ? points : undefined}
      hideOptional
      defaultValue={mark?.points[at] ?? ''}
      inputMode="decimal"
      autoComplete="off"
      maxLength={6}
    />
  );
}
