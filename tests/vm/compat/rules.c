// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules: one a line, KIND, WHERE and the reason. See tests/vm/compat.rules. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"

static const char *const kinds[RULE_KINDS] = { "volatile", "async", "wrong", "ours" };

static bool parse_kind(const char *word, enum rule_kind *kind)
{
	for (int i = 0; i < RULE_KINDS; i++) {
		if (!strcmp(word, kinds[i])) {
			*kind = i;
			return true;
		}
	}
	return false;
}

/* LENGTH+OFFSET or LENGTH+FIRST-LAST, of the mapping and in it; a rule without a reason is none. */
static bool parse_rule(struct rule *rule, const char *line)
{
	char kind[16], where[64];
	int reason = 0, n;

	memset(rule, 0, sizeof(*rule));
	if (sscanf(line, "%15s %63s %n", kind, where, &reason) != 2 || !reason || !line[reason])
		return false;
	if (!parse_kind(kind, &rule->kind))
		return false;
	if (rule->kind == RULE_OURS) {
		snprintf(rule->word, sizeof(rule->word), "%.15s", where);
	} else {
		n = sscanf(where, "%" SCNx64 "+%" SCNx64 "-%" SCNx64, &rule->map_len, &rule->first,
			   &rule->last);
		if (n < 2)
			return false;
		if (n == 2)
			rule->last = rule->first;
	}
	rule->reason = strdup(line + reason);
	return rule->reason;
}

int rules_init(struct rule_list *list, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	int number = 0;

	memset(list, 0, sizeof(*list));
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		struct rule *at;

		number++;
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		at = realloc(list->at, (list->count + 1) * sizeof(*at));
		if (at)
			list->at = at;
		if (!at || !parse_rule(&list->at[list->count], line)) {
			fclose(file);
			return number;
		}
		list->count++;
	}
	fclose(file);
	return 0;
}

void rules_deinit(struct rule_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->at[i].reason);
	free(list->at);
}

static bool applies(const struct rule *rule, const struct record *r)
{
	if (rule->kind == RULE_OURS)
		return !strncmp(r->text, rule->word, strlen(rule->word)) &&
		       r->text[strlen(rule->word)] == ' ';
	return r->map >= 0 && r->type >= RECORD_READ && r->map_len == rule->map_len &&
	       r->offset >= rule->first && r->offset <= rule->last;
}

struct rule *rule_find(struct rule_list *list, enum rule_kind kind, const struct record *r)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i].kind == kind && applies(&list->at[i], r))
			return &list->at[i];
	return NULL;
}
