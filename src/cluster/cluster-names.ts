/** What one exchange uses on a NATS server; others may use the same server beside it. */
export interface ClusterNames {
  readonly stream: string;
  /** The one subject of the stream. */
  readonly logSubject: string;
  /** The bucket of the signatures of orders. */
  readonly signatureBucket: string;
  /** Where whoever has appended says how far the log reaches. */
  readonly tailSubject: string;
  /** Where a process asks all others how far they are. */
  readonly rollSubject: string;
  /** The bucket of the owner's lease. */
  readonly bucket: string;
  /** Where the owner of that epoch takes orders: a former owner listens elsewhere. */
  submitSubject(epoch: number): string;
  /** Where a process hears of what it sent; the last token is the request's number. */
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
    bucket: `openbourse-${journalId}`,
    signatureBucket: `openbourse-${journalId}-orders`,
    submitSubject: (epoch) => `${root}.submit.${epoch}`,
    replySubject: (process) => `${root}.reply.${process}`,
  };
}
