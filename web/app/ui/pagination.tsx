import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';

type Props = { previous?: string; next?: string; /** Number of this page, from 1. */ page?: number };

/** Links to the previous and next page; renders nothing for a single page. */
export function Pagination({ previous, next, page }: Props) {
  const { t } = useText();
  if (!previous && !next) return null;
  return (
    <nav aria-label={t('common.pagination')} className="mt-8 flex items-center justify-between gap-4">
      {previous ? (
        <Link to={previous} rel="prev" className="btn btn-secondary">
          <Icon as={ChevronLeft} directional />
          {t('common.previous_page')}
        </Link>
      ) : (
        <span />
      )}
      {page ? <span className="text-sm whitespace-nowrap text-muted">{t('common.current_page', { page })}</span> : null}
      {next ? (
        <Link to={next} rel="next" className="btn btn-secondary">
          {t('common.next_page')}
          <Icon as={ChevronRight} directional />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
