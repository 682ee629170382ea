export interface SafetyNumber {
  /** Twelve groups of five digits. */
  readonly digits: string;
  /** The same, as words. */
  readonly words: string;
}

/** Events about keys. Only a changed key stops the agent. */
export type EncryptionEvent =
  /**
   * The person's key has changed. Nothing is sent to them, and none of their messages is opened, until
   * `acceptKey(user_id, safety_number.digits)`; messages wait.
   */
  | {
      readonly type: "encryption.key_changed";
      readonly payload: {
        readonly user_id: string;
        readonly was_verified: boolean;
        readonly safety_number: SafetyNumber;
      };
    }
  /** The person uses the known key again. What waited is delivered. */
  | {
      readonly type: "encryption.key_changed_back";
      readonly payload: { readonly user_id: string };
    }
  /** This agent had lost the session. Messages that could not be opened are lost; new ones open. */
  | {
      readonly type: "encryption.session_renewed";
      readonly payload: { readonly user_id: string; readonly conversation_id: string };
    }
  /** Members of a group who cannot read the message just sent there, because their keys are unknown. */
  | {
      readonly type: "encryption.left_out";
      readonly payload: { readonly conversation_id: string; readonly user_ids: readonly string[] };
    }
  /**
   * Messages that were sent to this agent and never arrived. After a crash of the person's client, up to 15 that
   * were never sent.
   */
  | {
      readonly type: "encryption.missed";
      readonly payload: {
        readonly user_id: string;
        readonly conversation_id: string;
        readonly count: number;
      };
    }
  /** The person's signed ledger was checked against what the hub says is granted. */
  | {
      readonly type: "encryption.grants";
      readonly payload: {
        readonly user_id: string;
        /** Signed by the person. */
        readonly proven_scopes: readonly string[];
        /** Granted according to the hub, but still not signed by the person after about 5 s. */
        readonly unproven_scopes: readonly string[];
      };
    }
  /**
   * The hub's ledger is not the one the person signed, or is an older one; `ledger_forked`: the person
   * was shown another one than this agent.
   */
  | {
      readonly type: "encryption.ledger_refused";
      readonly payload: { readonly user_id: string; readonly code: string };
    };

export interface OpenedMail {
  readonly plaintext: Uint8Array;
  /** The call that the sender sealed it for. */
  readonly callId: string | null;
  /** The message has been handled for good. */
  done(): Promise<void>;
}
