type Round<Answer> = { ids: Set<string>; answer: Promise<Answer>; next?: Round<Answer> };

/**
 * Asks a database once for all who want to know the same at the same time, each under an id of theirs. Whoever comes
 * while it is being asked is with the next to be asked for, which begins after they came: nobody is told how something
 * was before their question. What a round throws is thrown to all in it.
 */
export function gathered<Source extends object, About extends { key: string }, Answer>(
  ask: (source: Source, about: About, ids: string[]) => Promise<Answer>,
): (source: Source, about: About, id: string) => Promise<Answer> {
  const ofSources = new WeakMap<Source, Map<string, Round<Answer>>>();

  return (source, about, id) => {
    const { key } = about;
    const rounds = ofSources.get(source) ?? new Map<string, Round<Answer>>();
    ofSources.set(source, rounds);
    const underWay = rounds.get(key);
    if (underWay?.next) {
      underWay.next.ids.add(id);
      return underWay.next.answer;
    }
    const round = { ids: new Set([id]) } as Round<Answer>; // its answer follows below
    const begin = async () => {
      rounds.set(key, round);
      try {
        return await ask(source, about, [...round.ids]);
      } finally {
        if (!round.next) rounds.delete(key);
      }
    };
    if (underWay) underWay.next = round;
    round.answer = underWay ? underWay.answer.then(begin, begin) : begin();
    return round.answer;
  };
}
