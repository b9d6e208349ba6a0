// What the server has told so far, as one value. Knows no game and asks nobody.

const LOG = 80;

export const blank = {
  version: 0,
  observation: null,
  status: "playing",
  decision: null,
  waiting: [],
  standing: [],
  outcome: null,
  log: [], // newest first: {key, version, seat, by, line, rule}
  news: [], // events of the last observation
  before: null, // the observation before it
  votes: null,
  match: null, // of "hello": rule of deciding, teams and their members
  you: null,
  seen: {}, // member id: whether there
  why: null, // of a pause: teacher, deserted or explain
  notice: null,
  refusal: null,
};

const lines = (events, old) => {
  const known = new Set(old.map((line) => line.key));
  const fresh = events
    .map((one, i) => ({ key: `${one.version}.${events.slice(0, i).filter((other) => other.version === one.version).length}`, version: one.version, seat: one.event?.seat ?? one.seat, by: one.by ?? null, line: one.line, rule: one.rule, type: one.event?.type }))
    .filter((line) => line.line && !known.has(line.key));
  return [...fresh.reverse(), ...old].sort((a, b) => b.version - a.version).slice(0, LOG);
};

// The members of a seat's team, with whether each is there.
// Where a device is shared and there, those without one of their own speak through it.
export const membersOf = ({ match, seen }, seat) => {
  const members = match?.teams.find((team) => team.seat === seat)?.members ?? [];
  const shared = members.some((member) => member.shared && seen[member.id]);
  return members.map((member) => ({ ...member, here: seen[member.id] ?? null, by_shared: shared && seen[member.id] === false })); // null: not told yet
};

export const playedBy = ({ match }) => Object.fromEntries((match?.teams ?? []).map((team) => [team.seat, team.played_by]));

// The picture after one more message. What a message does not say stays as it was.
export const after = (picture, message) => {
  switch (message.type) {
    case "hello":
      return { ...picture, match: message.match ?? picture.match, you: message.you ?? picture.you, status: message.match?.status ?? picture.status };
    case "observation": {
      const { version, observation, events = [], status, decision = null, waiting = [], standing = [], outcome = null } = message;
      return {
        ...picture,
        ...{ version, observation, decision, waiting, standing, outcome },
        status: status ?? picture.status,
        news: events,
        before: picture.observation,
        log: lines(events, picture.log),
        votes: decision && picture.votes?.decision === decision.decision ? picture.votes : null,
        refusal: decision && picture.decision?.decision === decision.decision ? picture.refusal : null,
      };
    }
    case "votes": {
      const known = picture.votes?.decision === message.decision && picture.votes.alone;
      return { ...picture, votes: { ...message, alone: message.stage === "silent" || known } }; // alone: it began so
    }
    case "teams":
      return { ...picture, match: picture.match && { ...picture.match, teams: message.teams } };
    case "presence":
      return { ...picture, seen: Object.fromEntries(message.members.map((member) => [member.id, member.seen])) };
    case "notice":
      return { ...picture, notice: message };
    case "paused":
      return { ...picture, status: "paused", why: message.why ?? null };
    case "resumed":
      return { ...picture, status: "playing" };
    case "ended":
      return { ...picture, status: "ended" };
    case "refused":
      // an old decision: the newer board says it all
      return message.code === "stale" ? picture : { ...picture, refusal: message };
    case "accepted":
      return { ...picture, refusal: null };
    default:
      return picture;
  }
};
