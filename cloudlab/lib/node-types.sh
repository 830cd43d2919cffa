# shellcheck shell=bash disable=SC2034,SC2154
#
# Reads the types of machines from the table in profile.py.

# Prints the table without blanks around the bars.
node_types() {
    sed -n '/^NODE_TYPES = """$/,/^"""$/{/"""/d; s/ *| */|/g; p;}' "$folder/profile.py"
}

# apply_node_type: sets what the cluster file leaves out to what its node_type has. A type outside the table is refused
# with those near to it.
apply_node_type() {
    local name site type_domain card speed device type_interface near
    [[ -n $node_type ]] || return 0
    while IFS='|' read -r name site type_domain card speed device type_interface; do
        [[ $name == "$node_type" ]] || continue
        domain=${domain:-$type_domain}
        type_interface=${type_interface% ?}
        [[ $type_interface == '?' ]] || rdma_interface=${rdma_interface:-$type_interface}
        return 0
    done < <(node_types)
    near=$(near_types "$node_type")
    die "$cluster: node_type='$node_type' is not in the table of types${near:+; near types: $near}." \
        "For any other type leave it out, and write down domain and rdma_interface"
}

# Prints the types that begin with a word, and those from which the fewest edits separate it, at most two.
near_types() {
    node_types | cut -d '|' -f 1 | awk -v word="$1" '
        function distance(a, b,    i, j, d, best) {
            for (i = 0; i <= length(a); i++) d[i, 0] = i
            for (j = 0; j <= length(b); j++) d[0, j] = j
            for (i = 1; i <= length(a); i++) for (j = 1; j <= length(b); j++) {
                best = d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1))
                if (d[i - 1, j] + 1 < best) best = d[i - 1, j] + 1
                if (d[i, j - 1] + 1 < best) best = d[i, j - 1] + 1
                d[i, j] = best
            }
            return d[length(a), length(b)]
        }
        BEGIN { word = tolower(word); least = 2 }
        { edits[$0] = index($0, word) == 1 ? 0 : distance($0, word); least = edits[$0] > 0 && edits[$0] < least ? edits[$0] : least }
        END { for (type in edits) if (edits[type] <= least) print type }' | sort | paste -s -d , | sed 's/,/, /g'
}
