import { Link } from 'react-router';
import { useText } from '../../text.tsx';

type Props = { course: string; journey: string };

export function evaluationPath({ course, journey }: Props): string {
  return `/me/learning/${encodeURIComponent(course)}/${encodeURIComponent(journey)}/evaluation`;
}

/** The link to an evaluation that is neither answered nor skipped. */
export function EvaluationOffer(props: Props) {
  const { t } = useText();
  return (
    <Link to={evaluationPath(props)} className="link inline-block py-1.5">
      {t('evaluation.offer')}
    </Link>
  );
}
