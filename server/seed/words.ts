/** Vocabulary for seeded people, places and texts. All of it is our own; the domains are reserved ones. */

const list = (text: string) => text.split(',').map((word) => word.trim());

export type NameGroup = {
  locale: string;
  /** In percent of all people. */
  share: number;
  given: string[];
  family: string[];
  isFamilyFirst?: boolean;
};

export const NAME_GROUPS: readonly NameGroup[] = [
  {
    locale: 'en',
    share: 34,
    given: list(
      'Amelia,Noah,Grace,Oliver,Ruth,Samuel,Hannah,Daniel,Priya,Marcus,Leah,Thomas,Aisha,George,Nadia,Henry,Chloe,Isaac,Moira,Dylan,Ifeoma,Kwame,Rosa,Felix,Tamsin,Arjun,Bridget,Callum,Zainab,Elias',
    ),
    family: list(
      'Archer,Bennett,Clarke,Dhillon,Ellis,Fraser,Gallagher,Hughes,Iqbal,Jennings,Keane,Lambert,Mensah,Nolan,Okafor,Palmer,Quinn,Reid,Sutton,Turner,Underhill,Vaughan,Whitaker,Yates,Zielinski,Osei,Patel,Rahman,Sinclair,Thorne',
    ),
  },
  {
    locale: 'es-419',
    share: 14,
    given: list(
      'Camila,Mateo,Lucía,Diego,Valentina,Joaquín,Ximena,Emilio,Renata,Andrés,Paloma,Tomás,Inés,Rafael,Marisol,Julián',
    ),
    family: list(
      'Aguilar,Benítez,Castañeda,Domínguez,Espinoza,Figueroa,Guzmán,Huerta,Ibarra,Juárez,Lozano,Montoya,Navarro,Ortega,Quiroga,Salinas',
    ),
  },
  {
    locale: 'pt-BR',
    share: 10,
    given: list('Beatriz,Caio,Débora,Eduardo,Fernanda,Gustavo,Helena,Igor,Juliana,Leandro,Marina,Otávio'),
    family: list('Almeida,Barros,Cardoso,Duarte,Esteves,Farias,Gouveia,Lacerda,Moura,Nogueira,Peixoto,Teixeira'),
  },
  {
    locale: 'fr',
    share: 9,
    given: list('Élise,Bastien,Clémence,Damien,Fatou,Gaëlle,Hugo,Inès,Jérôme,Léonie,Mathis,Noémie'),
    family: list('Arnaud,Besson,Carpentier,Diallo,Ferrand,Garnier,Hamel,Joubert,Lemaire,Marchand,Pasquier,Rousselle'),
  },
  {
    locale: 'de',
    share: 7,
    given: list('Anneliese,Benedikt,Clara,Dominik,Elif,Friederike,Jörg,Käthe,Lennart,Mirjam,Tobias,Ute'),
    family: list('Ackermann,Bühler,Dietrich,Eberhardt,Fuchs,Gärtner,Hoffmann,Krüger,Lindner,Neumann,Schäfer,Yılmaz'),
  },
  {
    locale: 'ar',
    share: 8,
    given: list('أمينة,يوسف,ليلى,طارق,سلمى,كريم,هدى,نبيل,رنا,سامي,دينا,عمر'),
    family: list('الحسني,المنصور,بن سالم,الخطيب,درويش,العلي,حداد,القاسم,النجار,الشامي,زيدان,عبود'),
  },
  {
    locale: 'pl',
    share: 5,
    given: list('Agnieszka,Bartosz,Dorota,Grzegorz,Jadwiga,Kacper,Małgorzata,Paweł,Urszula,Wojciech'),
    family: list('Borkowska,Czarnecki,Dąbrowska,Górski,Jaworska,Lis,Majewska,Pawlak,Sadowska,Wróbel'),
  },
  {
    locale: 'ja',
    share: 5,
    given: list('葵,健太,美咲,大輔,由紀,直樹,陽子,翔,千尋,誠'),
    family: list('青木,石川,上田,岡田,川口,斎藤,田村,中野,藤井,森'),
    isFamilyFirst: true,
  },
  {
    locale: 'sr-Cyrl',
    share: 4,
    given: list('Јелена,Милош,Ана,Никола,Драгана,Стефан,Марија,Душан'),
    family: list('Јовановић,Петровић,Илић,Марковић,Станковић,Тодоровић,Вуковић,Живковић'),
  },
  {
    locale: 'vi',
    share: 4,
    given: list('Minh Anh,Quang Huy,Thu Hà,Văn Nam,Bích Ngọc,Đức Thắng,Lan Hương,Tuấn Kiệt'),
    family: list('Nguyễn,Trần,Lê,Phạm,Hoàng,Vũ,Đặng,Bùi'),
    isFamilyFirst: true,
  },
];

export type Office = { name: string; domain: string; isApproved: boolean };

const SUBJECTS = list(
  'Health,Education,Transport,Finance,Justice,Environment,Labour,Housing,Culture,Energy,Agriculture,Digital Affairs,Interior,Foreign Affairs,Social Security,Statistics',
);
const TOWNS = list(
  'Alderbrook,Belmora,Castelvar,Dunhaven,Esterwald,Fonteclara,Grevenhof,Harrowgate Hill,Isla Verde,Juniper Bay,Kestrel Point,Lindholm,Monteluz,Northmere,Oakhollow,Puerto Claro,Quillstad,Rivermouth,San Amaro,Thornbury Vale,Umbrasol,Vistamar,Westerfield,Yarrowdale',
);
const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

/** Employers. No auto-approval rule covers those that are not approved. */
export const OFFICES: readonly Office[] = [
  ...SUBJECTS.map((subject) => ({
    name: `Ministry of ${subject}`,
    domain: `${slugOf(subject)}.example.gov`,
    isApproved: true,
  })),
  ...TOWNS.map((town, nth) => ({
    name: `City of ${town}`,
    domain: `${slugOf(town)}.example.org`,
    isApproved: nth % 3 !== 2,
  })),
];

export const JOB_TITLES: readonly string[] = list(
  'Policy adviser,Case worker,Service designer,Budget analyst,Procurement officer,Data steward,Legal counsel,Press officer,Project manager,Team lead,Archivist,Inspector,Planner,Training coordinator,Permit officer,Social worker,Auditor,Developer,Statistician,Front desk officer',
);

export const PROGRAMMES: readonly string[] = list(
  'Plain language for letters,First steps in data,Leading a small team,Budgets for everyone,Open procurement,Digital basics,Writing for the web,Accessible services,AI in the office,Answering the public,Evidence in policy,New in public service',
);
export const COHORT_TOWNS = TOWNS;
export const COUNTRY_CODES: readonly string[] = list('AR,BR,CA,CL,DE,ES,FR,GB,ID,IT,JP,KR,MX,PL,PT,RS,VN,ZA');

export const POST_TITLES: readonly string[] = list(
  'What we changed in our letters,A form nobody finished,How we cut the waiting time,Questions about the new portal,Lessons from a budget meeting,Asking citizens first,A checklist that helped,Our first accessible map,Sharing a template,When the data did not agree,Two weeks at the front desk,Reading the numbers together',
);
export const SENTENCES: readonly string[] = [
  'Last month we went through forty letters and found that most of them answered a question nobody had asked.',
  'We asked five people at the counter to read the page aloud, and marked every place where they stopped.',
  'The deadline was clear to us and to nobody else, so we moved it to the first line.',
  'It took two afternoons, one colleague from the legal team and a lot of coffee.',
  'What surprised us most was how few people ever reached the second page.',
  'I would be glad to hear how other offices deal with this.',
  'The numbers from the three districts did not add up, because each of them counted households differently.',
  'We keep the template in a shared folder and change it once a quarter.',
  'Nothing about it is new, but writing it down made it possible to disagree in a useful way.',
  'If your team has tried something like this and failed, please say so: that would help most.',
  'In the end the shorter form brought fewer phone calls and better answers.',
  'Our next step is to test it with people who use a screen reader.',
  'The rule is older than any of us, and the reason for it is gone.',
  'We started with the ten questions that come up every week.',
];
export const REPLIES: readonly string[] = [
  'We had the same. It helped to ask first.',
  'Thank you, I have passed this on to my team.',
  'How long did it take until people noticed the difference?',
  'Our legal department asked for one more sentence, and then agreed.',
  'We tried this two years ago and would do it again.',
  'Could you share the template? Ours has grown to nine pages.',
  'In our region the deadline is set by law, so we explain it instead.',
  'This is a good point. The numbers differ because the year begins in April here.',
];
