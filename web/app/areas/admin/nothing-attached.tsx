import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Warns before people are invited to a cohort without products. */
export function NothingAttached({ cohortId }: { cohortId: string }) {
  const { t } = useText();
  return (
    <Notice>
      {t('admin.cohorts_nothing_attached')}{' '}
      <Link to={`/admin/cohorts/${cohortId}/products`} className="link">
        {t('admin.cohorts_products')}
      </Link>
    </Notice>
  );
}
