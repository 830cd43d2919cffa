# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Reads and checks cluster files, which list the machines.

load_cluster() {
    cluster=$1
    [[ -r $cluster && ! -d $cluster ]] || die "there is no cluster file $cluster; see $folder/clusters"
    cluster=$(absolute "$cluster")
    domain='' machines=() user=$(id -un) # as in the original; the defaults below suit CloudLab
    node_type=''          # a line of the table in profile.py, which gives the domain and rdma_interface
    rdma_interface=''     # of the RDMA port, without np0 or np1; the look-up takes its address if there are several
    hosts=()              # the address of each machine's RDMA port; if there are none, they are looked up
    directory=remus       # on the machines, from the home folder on; {id} becomes the node's id
    ssh_options=()        # for example (-p 2222 -i KEY)
    java=java             # on the machines
    java_options=''       # for the Java VM of each node
    debug_port=5005       # of node 0, here; 1000 higher on the machine
    debug_suspend=n       # y: run-debug's nodes wait until a debugger has attached
    grace=10              # seconds in which nodes may notice by themselves that another one has failed
    results=$root/results # here
    # shellcheck source=/dev/null
    source "$cluster"
    apply_node_type
    ((${#machines[@]} > 0)) || die "$cluster lists no machines; it needs a line like machines=(apt030 apt132)"
    if ((${#hosts[@]} > 0 && ${#hosts[@]} != ${#machines[@]})); then
        die "$cluster has ${#machines[@]} machines, but ${#hosts[@]} hosts; it needs one for each machine, or none"
    fi
    check_cluster
    results=$(absolute "$results")
}

# Prints an absolute path, which no program takes for an option.
absolute() {
    case $1 in
        /*) printf '%s\n' "$1" ;;
        *) printf '%s\n' "$PWD/$1" ;;
    esac
}

# Refuses values that a shell or ssh could take for something else.
check_cluster() {
    local host='^[A-Za-z0-9:][A-Za-z0-9._:%-]*$' user_name='^[A-Za-z0-9_][A-Za-z0-9._@+\-]*$' value
    for value in "${machines[@]}" ${hosts[@]+"${hosts[@]}"}; do
        [[ $value =~ $host ]] ||
            die "$cluster: '$value' is not the name or address of a machine; the user's name goes into user=..."
    done
    [[ $domain =~ ^[A-Za-z0-9.-]*$ ]] || die "$cluster: domain='$domain' is not the name of a domain"
    [[ $user =~ $user_name ]] || die "$cluster: user='$user' is not the name of a user"
    check_directory
    for value in java results; do
        [[ -n ${!value} && ! ${!value} =~ [[:cntrl:]] ]] || die "$cluster: $value='${!value}' is not a path"
    done
    for value in grace debug_port; do
        [[ ${!value} =~ $whole_number ]] || die "$cluster: $value='${!value}' is not a whole number"
    done
    [[ $rdma_interface =~ ^[A-Za-z0-9._-]{0,15}$ ]] || die "$cluster: rdma_interface='$rdma_interface' is not the name of an interface"
    [[ $debug_suspend == [yn] ]] || die "$cluster: debug_suspend='$debug_suspend' is neither y nor n"
}

# The folder in which cl makes and removes others.
check_directory() {
    local no="$cluster: directory='$directory'"
    local twice
    [[ -n $directory ]] || die "$no is empty; leave it out for the folder remus in the home folder"
    [[ ! $directory =~ [[:cntrl:]] ]] || die "$no has control characters"
    [[ $directory != [~]* ]] || die "$no begins with ~, which is not expanded here; leave out ~/ for the home folder"
    [[ $directory != -* ]] || die "$no begins with -, like an option"
    [[ /$directory/ != */../* ]] || die "$no contains ..; name the folder itself"
    [[ $directory =~ [^/.] ]] || die "$no is not a folder of its own; name one inside it"
    twice=$(printf '%s\n' "${machines[@]}" | sort | uniq -d | head -n 1)
    [[ -z $twice || $directory == *'{id}'* ]] ||
        die "$no is the same for all nodes on $twice; give each its own, as in directory='remus-{id}'"
}
