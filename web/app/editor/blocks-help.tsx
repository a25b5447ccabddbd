import { useText } from '../text.tsx';
import { type BlockName, templateOf } from './markdown-blocks.ts';
import { useTemplateWords } from './template-words.ts';

/** How blocks are written, with an example of each. */
export function BlocksHelp({ blocks }: { blocks: readonly BlockName[] }) {
  const { t } = useText();
  const words = useTemplateWords();
  return (
    <details className="mt-2">
      <summary className="link inline-block cursor-pointer py-1.5">{t('article.blocks_help')}</summary>
      <div className="mt-2 grid gap-2 text-muted">
        <p>{t('article.blocks_help_how')}</p>
        {blocks.includes('quiz') ? <p>{t('article.blocks_help_quiz')}</p> : null}
        <dl className="grid gap-3 sm:grid-cols-2">
          {blocks.map((name) => (
            <div key={name} className="min-w-0">
              <dt className="font-semibold text-ink">{t(`article.tool_${name}`)}</dt>
              <dd>
                <pre dir="auto" className="mt-1 rounded bg-sunk p-3 text-sm whitespace-pre-wrap" tabIndex={0}>
                  {templateOf(name, words).text}
                </pre>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}
