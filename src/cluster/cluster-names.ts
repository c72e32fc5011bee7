/** The names that one exchange uses on a NATS server; other exchanges can share the server. */
export interface ClusterNames {
  readonly stream: string;
  /** The only subject of the stream. */
  readonly logSubject: string;
  /** Where a process that has appended announces the log's new end. */
  readonly tailSubject: string;
  /** Where a process asks all others how far their histories go. */
  readonly rollSubject: string;
  /** Where a process asks all others for their reply to a signed order. */
  readonly repliesSubject: string;
  /** Where members report what their journals hold. */
  readonly reportSubject: string;
  /** Where processes report what their clients have used of their limits. */
  readonly countsSubject: string;
  /** Where processes announce what they have changed in the database. */
  readonly changesSubject: string;
  /** Where an operator asks the processes to do something. */
  readonly operatorSubject: string;
  /** The bucket of shared snapshots. */
  readonly snapshotBucket: string;
  /** The bucket of the owner's lease. */
  readonly bucket: string;
  /** Where the owner of that epoch accepts orders: a former owner listens on another subject. */
  submitSubject(epoch: number): string;
  /** The same for several orders in one message. */
  packSubject(epoch: number): string;
  /** Where a process answers that it is alive. */
  aliveSubject(process: string): string;
  /** Where a process receives replies to its requests; the last token names the request or pack. */
  replySubject(process: string): string;
}

/** The names for the exchange whose journals have this identity. */
export function clusterNames(journalId: string): ClusterNames {
  const root = `openbourse.${journalId}`;
  return {
    stream: `openbourse-${journalId}`,
    logSubject: `${root}.log`,
    tailSubject: `${root}.tail`,
    rollSubject: `${root}.roll`,
    repliesSubject: `${root}.replies`,
    reportSubject: `${root}.held`,
    countsSubject: `${root}.counts`,
    changesSubject: `${root}.changes`,
    operatorSubject: `${root}.operator`,
    snapshotBucket: `openbourse-${journalId}-snapshots`,
    bucket: `openbourse-${journalId}`,
    submitSubject: (epoch) => `${root}.submit.${epoch}`,
    packSubject: (epoch) => `${root}.submits.${epoch}`,
    aliveSubject: (process) => `${root}.alive.${process}`,
    replySubject: (process) => `${root}.reply.${process}`,
  };
}
