/** They put off what is asked, wherever they stand. */
export const WAITING: ReadonlySet<string> = new Set(
  [
    "wait waits await awaits until till later tomorrow once unless postpone postponed postpones defer deferred defers",
    "pending tbd standby",
    "warte warten abwarten später morgen erst sobald verschieben aufschieben",
    "attends attendre attendez demain jusqu'à dès",
    "espera esperar espere mañana aplazar aguarda aguardar",
    "attendere aspetta aguarde esperar wacht wachten подожди ждать дождаться позже завтра",
    "대기 기다려 기다리기 기다린다 나중에 내일",
  ]
    .join(" ")
    .split(" "),
);

/** They put off only as the first word: elsewhere they are nouns (`the scheduler's delay`). */
export const WAITING_FIRST: ReadonlySet<string> = new Set(
  "waiting awaiting hold delay pause suspend freeze blocked block park verschiebe pausiere".split(
    " ",
  ),
);

/** As the last word they say that nothing is to be done any more: `fix login (done)`. */
export const CLOSED_LAST: ReadonlySet<string> = new Set(
  "done cancelled canceled blocked obsolete finished wontfix rejected declined superseded erledigt hecho terminé".split(
    " ",
  ),
);

export const WAITING_PHRASES: readonly string[] = [
  "on hold",
  "hold off",
  "stand by",
  "as soon as",
  "next week",
  "next month",
  "not yet",
  ...["is", "are", "was", "were"].flatMap((was) =>
    ["blocked", "cancelled", "canceled", "postponed", "done", "finished"].map(
      (state) => `${was} ${state}`,
    ),
  ),
  "already done",
  "plus tard",
  "más tarde",
  "mas tarde",
];

/** They put off only when a decision or an end is near: `after approval`, but not `the crash after login`. */
export const CONDITIONS: ReadonlySet<string> = new Set(
  "after when if nach wenn falls nachdem après quand si cuando después tras".split(" "),
);

export const CONDITION_MET =
  /^(?:approv|review|confirm|sign-?off|permission|answer|agree|accept|done$|finish|complet|green$|pass(?:es|ed)?$|ready$|releas|merg|freigabe|bestätig|fertig|grün$|abgeschlossen|approbation|validé|aprob|confirma|terminad)/;

/** The same for scripts without spaces. */
export const UNSPACED_WAITING =
  /等待|等到|稍后|稍後|以后再|推迟|推遲|暂停|暫停|暂缓|暫緩|明天|之后再|待つ|待って|待ち|後で|あとで|延期|保留|一時停止|明日|まで待|รอ/u;
