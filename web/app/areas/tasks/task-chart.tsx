import type { JobTask } from '@officium/contract/job-tasks';
import { useText } from '../../text.tsx';
import { CATEGORY_WORDS, LEVEL_STARTS, LEVEL_WORDS, levelOf } from './words.ts';

type Props = { tasks: readonly JobTask[]; /** Language of the tasks, where known. */ lang: 'en' | undefined };

/** Two bars per task on one scale of three levels, each with its figure and level as text. */
export function TaskChart({ tasks, lang }: Props) {
  return (
    <div className="mt-5">
      <Legend />
      <Axis />
      <ol className="divide-y divide-line border-b border-line">
        {tasks.map((task) => (
          <li
            key={task.id}
            className="grid gap-x-8 gap-y-2 py-3.5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:items-center"
          >
            <div>
              <p className="font-semibold">
                <a href={`#task-${task.id}`} className="title-link">
                  <bdi lang={lang}>{task.title}</bdi>
                </a>
              </p>
              <CategoryLine category={task.categoryId} />
            </div>
            <dl className="grid gap-1.5">
              <Bar name="task.automation" value={task.riskPercentage} look={FULL} />
              <Bar name="task.effort" value={task.effortPercentage} look={OUTLINED} />
            </dl>
          </li>
        ))}
      </ol>
    </div>
  );
}

function CategoryLine({ category }: { category: JobTask['categoryId'] }) {
  const { t } = useText();
  return <p className="text-sm text-muted">{t(CATEGORY_WORDS[category])}</p>;
}

function Legend() {
  const { t } = useText();
  return (
    <ul className="grid gap-2 text-sm sm:grid-cols-2 sm:gap-x-8">
      {LEGEND.map(({ look, name, text }) => (
        <li key={name} className="flex items-start gap-2.5">
          <Swatch look={look} />
          <p>
            <span className="block font-semibold">{t(name)}</span>
            <span className="text-muted">{t(text)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Swatch({ look }: { look: string }) {
  return (
    <svg viewBox="0 0 24 12" aria-hidden="true" className="mt-1 h-3 w-6 shrink-0">
      <rect x="1" y="1" width="22" height="10" vectorEffect="non-scaling-stroke" className={look} />
    </svg>
  );
}

const SCALE = 'grid grid-cols-[minmax(0,1fr)_7rem] items-center gap-x-3 sm:grid-cols-[minmax(0,1fr)_8.5rem]';

/** The three levels above the bars, with the widths of LEVEL_STARTS. */
function Axis() {
  const { t } = useText();
  return (
    <div
      aria-hidden="true"
      className="mt-6 gap-x-8 border-b border-line pb-1 max-sm:[&>*]:hidden md:grid md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
    >
      <div className={`${SCALE} text-sm text-muted md:col-start-2`}>
        <div className="grid grid-cols-[34fr_33fr_33fr]">
          <span>{t('task.level_low')}</span>
          <span>{t('task.level_medium')}</span>
          <span>{t('task.level_high')}</span>
        </div>
      </div>
    </div>
  );
}

const HEIGHT = 10;
/** Minimum bar width, so that zero stays visible. */
const LEAST = 0.75;

function Bar({ name, value, look }: { name: 'task.automation' | 'task.effort'; value: number; look: string }) {
  const { t, number, dir } = useText();
  return (
    <div>
      <dt className="sr-only">{t(name)}</dt>
      <dd className={SCALE}>
        <svg
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className={`block h-3.5 w-full ${dir === 'rtl' ? '-scale-x-100' : ''}`}
        >
          <rect width="100" height={HEIGHT} className="fill-sunk forced-colors:fill-[Canvas]" />
          {Object.values(LEVEL_STARTS).map((start) => (
            <line
              key={start}
              x1={start}
              x2={start}
              y2={HEIGHT}
              vectorEffect="non-scaling-stroke"
              className="stroke-line forced-colors:stroke-[GrayText]"
            />
          ))}
          <rect
            y="0.5"
            width={Math.max(value, LEAST)}
            height={HEIGHT - 1}
            vectorEffect="non-scaling-stroke"
            className={look}
          />
        </svg>
        <span className="text-sm tabular-nums">
          <span className="font-semibold">{number(value / 100, { style: 'percent' })}</span>{' '}
          <span className="text-muted">{t(LEVEL_WORDS[levelOf(value)])}</span>
        </span>
      </dd>
    </div>
  );
}

const FULL = 'fill-accent stroke-accent forced-colors:fill-[CanvasText] forced-colors:stroke-[CanvasText]';
const OUTLINED = 'fill-accent-soft stroke-accent forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]';

const LEGEND = [
  { look: FULL, name: 'task.automation', text: 'task.automation_text' },
  { look: OUTLINED, name: 'task.effort', text: 'task.effort_text' },
] as const;
