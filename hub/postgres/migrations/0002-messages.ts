/** Accepting and settling a message: one round trip each, and the row locks it needs in one order. */
export const messages = `
CREATE FUNCTION active_members(conversation text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(m.member_id ORDER BY m.member_id), '{}')
  FROM members m JOIN conversations c USING (conversation_id)
  WHERE m.conversation_id = conversation AND (m.member_type = 'human' OR EXISTS (
    SELECT 1 FROM h2a_relations r
    WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active'))
$$;

-- Locks: the conversation, its sender's counts, then the recipients in order of their ids.
CREATE FUNCTION accept_message(
  m jsonb, counted integer, is_call boolean, is_in_history boolean,
  most_calls bigint, most_bytes bigint, most_queued integer, most_waiting bigint, node text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  talk conversations; known messages; hearers text[]; own senders; now_ms bigint; wait_ms bigint;
  total bigint; weight bigint; stored bigint; owed jsonb;
BEGIN
  SELECT * INTO talk FROM conversations WHERE conversation_id = m->>'conversation_id' FOR NO KEY UPDATE;
  SELECT * INTO known FROM messages
    WHERE sender_id = m->>'sender_id' AND client_message_id = m->>'client_message_id';
  IF FOUND THEN
    RETURN jsonb_build_object('message_id', known.message_id, 'conversation_id', known.conversation_id,
      'conversation_seq', known.conversation_seq);
  END IF;
  hearers := active_members(m->>'conversation_id');
  IF talk IS NULL OR NOT m->>'sender_id' = ANY (hearers) OR cardinality(hearers) < 2 THEN
    RETURN jsonb_build_object('refused', 'NOT_A_MEMBER');
  END IF;
  hearers := array_remove(hearers, m->>'sender_id');
  IF m->>'sender_type' = 'agent' THEN
    IF is_in_history AND EXISTS (SELECT 1 FROM full_histories
      WHERE user_id = ANY (hearers) AND agent_id = m->>'sender_id') THEN
      RETURN jsonb_build_object('refused', 'HISTORY_FULL');
    END IF;
    INSERT INTO senders (sender_id) VALUES (m->>'sender_id') ON CONFLICT DO NOTHING;
    SELECT * INTO own FROM senders WHERE sender_id = m->>'sender_id' FOR NO KEY UPDATE;
    now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
    own.calls := ARRAY(SELECT t FROM unnest(own.calls) t WHERE t > now_ms - 60000 ORDER BY t);
    IF is_call AND most_calls IS NOT NULL AND cardinality(own.calls) >= most_calls THEN
      wait_ms := own.calls[cardinality(own.calls) - most_calls + 1] + 60000 - now_ms;
    END IF;
    SELECT array_agg(s ORDER BY s), array_agg(b ORDER BY s), sum(b) INTO own.seconds, own.bytes, total
      FROM unnest(own.seconds, own.bytes) AS past (s, b) WHERE s > now_ms / 1000 - 61;
    weight := least(counted, most_bytes);
    IF wait_ms IS NULL AND most_bytes IS NOT NULL AND coalesce(total, 0) + weight > most_bytes THEN
      SELECT (min(s) + 61) * 1000 - now_ms INTO wait_ms FROM (
        SELECT s, sum(b) OVER (ORDER BY s) AS freed FROM unnest(own.seconds, own.bytes) AS past (s, b)
      ) ends WHERE freed >= total + weight - most_bytes;
    END IF;
    IF wait_ms IS NOT NULL THEN
      RETURN jsonb_build_object('refused', 'RATE_LIMITED', 'retryAfterMs', greatest(1, wait_ms));
    END IF;
    IF counted > 0 AND own.waiting_bytes + counted > most_waiting THEN
      RETURN jsonb_build_object('refused', 'RECIPIENT_QUEUE_FULL');
    END IF;
  END IF;
  IF EXISTS (SELECT 1 FROM queues WHERE recipient_id = ANY (hearers)
    AND conversation_id = talk.conversation_id AND waiting >= most_queued) THEN
    RETURN jsonb_build_object('refused', 'RECIPIENT_QUEUE_FULL');
  END IF;
  IF m->>'sender_type' = 'agent' THEN
    IF own.seconds[cardinality(own.seconds)] = now_ms / 1000 THEN
      own.bytes[cardinality(own.bytes)] := own.bytes[cardinality(own.bytes)] + counted;
    ELSE
      own.seconds := array_append(own.seconds, now_ms / 1000);
      own.bytes := array_append(own.bytes, counted::bigint);
    END IF;
    UPDATE senders SET waiting_bytes = waiting_bytes + counted, seconds = own.seconds, bytes = own.bytes,
      calls = CASE WHEN is_call THEN array_append(own.calls, now_ms) ELSE own.calls END
      WHERE sender_id = m->>'sender_id';
  END IF;
  UPDATE conversations SET last_seq = talk.last_seq + 1 WHERE conversation_id = talk.conversation_id;
  INSERT INTO messages (message_id, conversation_id, conversation_seq, sender_id, sender_type,
      client_message_id, content_type, msg_subtype, payload, bytes, created_at)
    VALUES (m->>'message_id', talk.conversation_id, talk.last_seq + 1, m->>'sender_id', m->>'sender_type',
      m->>'client_message_id', m->>'content_type', m->>'msg_subtype', m->>'payload', counted,
      (m->>'created_at')::bigint)
    RETURNING message_row INTO stored;
  WITH numbered AS (
    INSERT INTO recipients AS r (recipient_id, last_delivery) SELECT id, 1 FROM unnest(hearers) id ORDER BY id
    ON CONFLICT (recipient_id) DO UPDATE SET last_delivery = r.last_delivery + 1
    RETURNING recipient_id, last_delivery
  ), owing AS (
    INSERT INTO deliveries (recipient_id, delivery_id, message_row)
    SELECT recipient_id, last_delivery, stored FROM numbered RETURNING recipient_id, delivery_id
  )
  SELECT jsonb_agg(jsonb_build_object('recipient_id', recipient_id, 'delivery_id', delivery_id)) INTO owed
    FROM owing;
  -- Another statement: it sees who connected before the recipients were locked.
  SELECT jsonb_agg(each || jsonb_build_object('nodes', (SELECT coalesce(jsonb_agg(node_id), '[]')
      FROM connected WHERE subject_id = each->>'recipient_id' AND node_id <> node)))
    INTO owed FROM jsonb_array_elements(owed) each;
  INSERT INTO queues AS q (recipient_id, conversation_id, waiting)
    SELECT id, talk.conversation_id, 1 FROM unnest(hearers) id ORDER BY id
    ON CONFLICT (recipient_id, conversation_id) DO UPDATE SET waiting = q.waiting + 1;
  RETURN jsonb_build_object('message_id', m->>'message_id', 'conversation_id', talk.conversation_id,
    'conversation_seq', talk.last_seq + 1, 'conversation_type', talk.type, 'deliveries', owed);
END $$;

-- Once nobody waits for it, the envelope goes; the row stays to recognise a resend.
CREATE FUNCTION settle_message(row_of bigint, recipient text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known messages;
BEGIN
  SELECT * INTO known FROM messages WHERE message_row = row_of FOR NO KEY UPDATE;
  -- Before the queue's row, as when a message is accepted: else the two wait for each other.
  IF known.sender_type = 'agent' THEN
    PERFORM 1 FROM senders WHERE sender_id = known.sender_id FOR NO KEY UPDATE;
  END IF;
  DELETE FROM deliveries WHERE message_row = row_of AND recipient_id = recipient;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE queues SET waiting = waiting - 1
    WHERE recipient_id = recipient AND conversation_id = known.conversation_id;
  IF EXISTS (SELECT 1 FROM deliveries WHERE message_row = row_of) THEN RETURN; END IF;
  UPDATE messages SET payload = NULL WHERE message_row = row_of;
  UPDATE senders SET waiting_bytes = waiting_bytes - known.bytes
    WHERE sender_id = known.sender_id AND known.sender_type = 'agent';
END $$;
`;
