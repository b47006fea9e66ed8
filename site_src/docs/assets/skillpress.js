// Three small conveniences: "/" finds, hashes copy, the browse page filters. Every page works without them.
(() => {
  "use strict";

  const find = document.querySelector("[data-sp-find]");
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = document.querySelector("[data-sp-filters] [name=q]") || find;
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-sp-copy]");
    if (!button) return;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.spCopy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = label; }, 1600);
  });

  const browse = document.querySelector("[data-sp-browse]");
  if (browse) startBrowsing(browse);

  async function startBrowsing(page) {
    const root = page.dataset.root;
    const list = page.querySelector("[data-sp-list]");
    const count = page.querySelector("[data-sp-count]");
    const form = page.querySelector("[data-sp-filters]");
    const fields = ["q", "topic", "owner", "agent", "verdict"];
    const step = 60;
    let limit = step;

    let skills, agents;
    try {
      const answer = await fetch(`${root}search.json`);
      if (!answer.ok) return;
      ({ skills, agents } = await answer.json());
    } catch {
      return; // the list in the page stays
    }
    for (const skill of skills) {
      skill.head = `${skill.slug} ${skill.name} ${skill.owner} ${skill.topics.join(" ")}`.toLowerCase();
      skill.text = skill.description.toLowerCase();
    }
    offer(form.elements.topic, tally(skills.flatMap((skill) => skill.topics)).slice(0, 200));
    offer(form.elements.owner, tally(skills.map((skill) => skill.owner)));
    form.elements.agent.append(...agents.map((agent) => new Option(`Loads in ${agent.name}`, agent.host)));

    const asked = new URLSearchParams(location.search);
    for (const name of fields) {
      const value = asked.get(name) || "";
      const field = form.elements[name];
      if (value && field.tagName === "SELECT" && ![...field.options].some((o) => o.value === value)) {
        field.append(new Option(value, value));
      }
      field.value = value;
    }
    if (find) find.value = "";

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => { limit = step; show(); });
    form.classList.add("sp-filters--ready");
    show();

    function show() {
      const wanted = Object.fromEntries(fields.map((name) => [name, form.elements[name].value.trim()]));
      const kept = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
      history.replaceState(null, "", kept.size ? `?${kept}` : location.pathname);
      const found = matches(skills, wanted, agents.findIndex((agent) => agent.host === wanted.agent));
      count.textContent = found.length === skills.length
        ? `${number(skills.length)} ${skills.length === 1 ? "skill" : "skills"}`
        : `${number(found.length)} of ${number(skills.length)} skills`;
      const parts = [];
      if (found.length) {
        const cards = element("ul", "sp-cards");
        cards.append(...found.slice(0, limit).map((skill) => card(skill)));
        parts.push(cards);
      } else {
        parts.push(element("p", "sp-note", "No skill matches. Try fewer words, or another topic."));
      }
      if (found.length > limit) {
        const more = element("button", "sp-button sp-button--quiet", `Show more (${number(found.length - limit)})`);
        more.type = "button";
        more.addEventListener("click", () => { limit += step * 2; show(); });
        parts.push(more);
      }
      list.replaceChildren(...parts);
    }

    function card(skill) {
      const item = element("li", "sp-card");
      const name = element("a", "sp-card__name");
      name.href = `${root}${encodeURIComponent(skill.owner)}/skills/${encodeURIComponent(skill.slug)}/`;
      const emoji = element("span", "sp-emoji", skill.emoji || [...skill.name][0].toUpperCase());
      emoji.setAttribute("aria-hidden", "true");
      name.append(emoji, element("span", "", skill.name));
      const foot = element("p", "sp-card__foot");
      const owner = element("a", "", skill.owner);
      owner.href = `${root}${encodeURIComponent(skill.owner)}/`;
      foot.append(owner, element("span", "", skill.version));
      const verdict = [...form.elements.verdict.options].find((option) => option.value === skill.verdict);
      if (skill.verdict !== "allow") {
        foot.append(element("span", `sp-verdict sp-verdict--${skill.verdict}`, verdict ? verdict.text : skill.verdict));
      }
      const text = skill.description.length > 180 ? `${skill.description.slice(0, 179)}…` : skill.description;
      foot.append(...(skill.marks || []).map((mark) => element("span", "sp-tag", mark)));
      item.append(name, element("p", "sp-card__text", text), foot);
      return item;
    }
  }

  // A skill has a letter for each agent, "l" where it loads as written. Every word must occur; the name counts more than the description. Substrings, so Chinese needs no dictionary.
  function matches(skills, wanted, agent) {
    const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
    const scored = [];
    for (const skill of skills) {
      if (wanted.topic && !skill.topics.includes(wanted.topic)) continue;
      if (wanted.owner && skill.owner !== wanted.owner) continue;
      if (wanted.verdict && skill.verdict !== wanted.verdict) continue;
      if (wanted.agent && skill.agents[agent] !== "l") continue;
      let score = 0;
      for (const word of words) {
        if (skill.slug === word) score += 12;
        else if (skill.slug.startsWith(word)) score += 8;
        else if (skill.head.includes(word)) score += 4;
        else if (skill.text.includes(word)) score += 1;
        else { score = -1; break; }
      }
      if (score >= 0) scored.push([score, skill]);
    }
    if (words.length) scored.sort((a, b) => b[0] - a[0]);
    return scored.map(([, skill]) => skill);
  }

  function tally(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  function offer(select, counted) {
    select.append(...counted.map(([value, many]) => new Option(`${value} (${many})`, value)));
  }

  function element(tag, classes, text) {
    const made = document.createElement(tag);
    if (classes) made.className = classes;
    if (text) made.textContent = text;
    return made;
  }

  function number(value) {
    return value.toLocaleString("en");
  }
})();
