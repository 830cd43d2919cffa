# SPDX-License-Identifier: Apache-2.0
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
    near=$(node_types | cut -d '|' -f 1 | near_names "$node_type" | paste -s -d , - | sed 's/,/, /g')
    die "$cluster: node_type='$node_type' is not in the table of types${near:+; near types: $near}." \
        "For any other type leave it out, and write down domain and rdma_interface"
}
