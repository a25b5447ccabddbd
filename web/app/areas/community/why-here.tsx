import { useEffect } from 'react';
import { useFetcher } from 'react-router';
import { useText } from '../../text.tsx';
import type { loader } from './rank.page.tsx';
import { RankWords } from './rank-words.tsx';

/** Loads the explanation of a post's place from its page. */
export function WhyHere({ to }: { to: string }) {
  const { t } = useText();
  const { load, data } = useFetcher<typeof loader>();
  useEffect(() => void load(to), [load, to]);
  return data ? <RankWords explained={data.explained} /> : <p role="status">{t('common.loading')}</p>;
}
